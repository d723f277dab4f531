// SPDX-License-Identifier: MIT
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** ThreadPoolExecutor: which worker gets which task. */
final class Pools {
    static int shared;

    public static void main(String[] arguments) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(3);
        CountDownLatch done = new CountDownLatch(10);
        List<Future<String>> results = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            int task = i;
            results.add(pool.submit(() -> {
                shared = shared * 5 + Race.work(task % 7);
                if (task % 6 == 0)
                    done.countDown();
                return Thread.currentThread().getName() + ":" + shared;
            }));
        }
        done.await();
        System.out.println(shared);
        for (Future<String> result : results)
            System.out.println(result.get());
        pool.shutdown();
        System.out.println(pool.awaitTermination(10, TimeUnit.SECONDS));
    }
}
