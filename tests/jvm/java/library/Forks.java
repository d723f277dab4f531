// SPDX-License-Identifier: MIT
import java.util.Arrays;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveTask;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** ForkJoinPool, the common pool, parallel streams. */
final class Forks {
    static volatile int order;

    static final class Sum extends RecursiveTask<Long> {
        private static final long serialVersionUID = 1;
        final int from, to;

        Sum(int from, int to) {
            this.from = from;
            this.to = to;
        }

        @Override
        protected Long compute() {
            if (to - from < 4) {
                order = order * 3 + from;
                return (long) Race.work(to - from) + order % 5;
            }
            int middle = (from + to) / 2;
            Sum left = new Sum(from, middle);
            left.fork();
            long right = new Sum(middle, to).compute();
            return right * 31 + left.join();
        }
    }

    public static void main(String[] arguments) throws Exception {
        ForkJoinPool pool = new ForkJoinPool(3);
        System.out.println(pool.invoke(new Sum(0, 60)));
        System.out.println(ForkJoinPool.commonPool().submit(new Sum(0, 40)).get());
        System.out.println(pool.submit(() -> IntStream.range(0, 200).parallel().map(i -> order = order * 7 + i).sum()).get());
        System.out.println(IntStream.range(0, 100).parallel().boxed().map(i -> i + order++ % 3).collect(Collectors.toList()));
        System.out.println(IntStream.range(0, 300).parallel().filter(i -> i % 7 == 3).findAny().getAsInt());
        int[] numbers = IntStream.range(0, 9000).map(i -> i * 7919 % 9001).toArray();
        Arrays.parallelSort(numbers);
        System.out.println(Arrays.hashCode(numbers) + " " + order);
        pool.shutdown();
    }
}
