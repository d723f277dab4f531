// SPDX-License-Identifier: MIT

/** Two threads that add to the same counter, one of the two additions under a lock. */
public class Race {
    static int total;

    static class Counter {
        int n;
        String name;
        final long[] history = new long[4];
    }

    static void work(Counter counter, int times) {
        for (int i = 0; i < times; i++) {
            counter.n++;
            synchronized (counter) {
                total++;
                counter.history[i % 4] = total;
            }
        }
    }

    public static void main(String[] args) throws Exception {
        int times = args.length > 0 ? Integer.parseInt(args[0]) : 8;
        Counter counter = new Counter();
        counter.name = "shared";
        Thread one = new Thread(() -> work(counter, times), "one");
        Thread two = new Thread(() -> work(counter, times), "two");
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println(counter.n + " " + total);
    }
}
