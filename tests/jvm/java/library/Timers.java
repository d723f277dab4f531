// SPDX-License-Identifier: MIT
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Timer, scheduled executors, FutureTask with timeouts; ThreadLocal. */
final class Timers {
    static volatile int shared;
    static final ThreadLocal<int[]> MINE = ThreadLocal.withInitial(() -> new int[] {shared});

    public static void main(String[] arguments) throws Exception {
        CountDownLatch ticks = new CountDownLatch(8);
        StringBuffer seen = new StringBuffer();
        Timer timer = new Timer("timer");
        for (int i = 0; i < 2; i++) {
            int me = i;
            timer.schedule(new TimerTask() {
                @Override
                public void run() {
                    shared = shared * 3 + me;
                    MINE.get()[0]++;
                    seen.append(me);
                    ticks.countDown();
                }
            }, 2 * i, 3 + i);
        }
        ScheduledExecutorService scheduled = Executors.newScheduledThreadPool(2);
        ScheduledFuture<?> again = scheduled.scheduleAtFixedRate(() -> {
            shared += MINE.get()[0]++;
            seen.append('s');
            ticks.countDown();
        }, 1, 4, TimeUnit.MILLISECONDS);
        ticks.await();
        timer.cancel();
        again.cancel(false);
        scheduled.shutdown();
        System.out.println(scheduled.awaitTermination(5, TimeUnit.SECONDS) + " " + seen + " " + shared);

        FutureTask<Integer> task = new FutureTask<>(() -> {
            for (int i = 0; i < 200; i++)
                shared += Race.work(i % 50);
            return shared;
        });
        Thread runner = new Thread(task);
        runner.start();
        int timeouts = 0;
        for (;;) {
            try {
                System.out.println(task.get(100, TimeUnit.MICROSECONDS) + " after " + timeouts);
                break;
            } catch (TimeoutException e) {
                timeouts++;
            } catch (ExecutionException e) {
                System.out.println(e);
                break;
            }
        }
        runner.join();
    }
}
