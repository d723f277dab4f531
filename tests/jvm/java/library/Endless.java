// SPDX-License-Identifier: MIT
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;

/** Ends by System.exit while threads sit in a pool, in a queue and in park, for ever. */
final class Endless {
    public static void main(String[] arguments) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        LinkedBlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
        ConcurrentHashMap<Integer, Integer> map = new ConcurrentHashMap<>();
        Thread taker = new Thread(() -> {
            try {
                for (;;)
                    map.merge(0, queue.take(), (a, b) -> a * 3 + b);
            } catch (InterruptedException e) {
                System.out.println("interrupted");
            }
        });
        Thread sleeper = new Thread(() -> {
            for (;;)
                LockSupport.park();
        });
        taker.start();
        sleeper.start();
        for (int i = 0; i < 40; i++) {
            int number = i;
            pool.execute(() -> queue.add(number));
        }
        Integer now;
        do
            now = map.get(0);
        while (now == null || queue.size() > 3);
        System.out.println(now + " " + queue.size());
        System.exit(5);
    }
}
