// SPDX-License-Identifier: MIT
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** An executor with a virtual thread for each task, or, where there are none, a pool; tasks that start tasks. */
final class Virtuals {
    static int racy;

    private static ExecutorService executor() throws ReflectiveOperationException {
        try {
            return (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (NoSuchMethodException e) {
            return Executors.newCachedThreadPool();
        }
    }

    public static void main(String[] arguments) throws Exception {
        ReentrantLock lock = new ReentrantLock();
        LinkedBlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
        StringBuilder order = new StringBuilder();
        ExecutorService executor = executor();
        List<Callable<Integer>> tasks = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            int me = i;
            tasks.add(() -> {
                racy = racy * 31 + Race.work(me % 5);
                Future<Integer> inner = executor.submit(() -> {
                    Thread.sleep(0, 1000 * (me % 3));
                    return racy += me;
                });
                lock.lock();
                try {
                    order.append((char) ('a' + me % 26));
                } finally {
                    lock.unlock();
                }
                queue.put(me);
                return inner.get();
            });
        }
        int sum = 0;
        for (Future<Integer> result : executor.invokeAll(tasks))
            sum += result.get();
        executor.shutdown();
        System.out.println(executor.awaitTermination(10, TimeUnit.SECONDS) + " " + sum + " " + racy);
        System.out.println(order + " " + new ArrayList<>(queue));
    }
}
