// SPDX-License-Identifier: MIT
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Exchanger;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Semaphore, CountDownLatch, CyclicBarrier, Phaser, Exchanger. */
final class Synchronizers {
    static int shared;

    public static void main(String[] arguments) throws Exception {
        Semaphore permits = new Semaphore(2);
        CountDownLatch first = new CountDownLatch(2);
        Race.run(4, (me, seen) -> {
            for (int i = 0; i < 30; i++) {
                if (permits.tryAcquire(me, TimeUnit.MICROSECONDS)) {
                    shared = shared * 3 + me;
                    seen.append('+');
                } else {
                    permits.acquire();
                    shared += i;
                    seen.append('-');
                }
                permits.release();
                if (i == 10)
                    first.countDown();
                if (i == 20)
                    first.await();
            }
            seen.append(' ').append(shared);
        });

        CyclicBarrier barrier = new CyclicBarrier(3, () -> shared++);
        Race.run(3, (me, seen) -> {
            for (int i = 0; i < 15; i++) {
                shared = shared * 5 + me;
                seen.append(barrier.await()).append(' ');
            }
        });

        Phaser phaser = new Phaser(3);
        Race.run(3, (me, seen) -> {
            for (int i = 0; i < 12; i++) {
                shared = shared * 7 + me;
                if (me == 2 && i == 8) {
                    seen.append(phaser.arriveAndDeregister());
                    break;
                }
                seen.append(phaser.arriveAndAwaitAdvance()).append('/').append(shared).append(' ');
            }
        });

        Exchanger<Integer> exchanger = new Exchanger<>();
        Race.run(4, (me, seen) -> {
            for (int i = 0; i < 15; i++) {
                try {
                    seen.append(exchanger.exchange(me * 100 + i, 20, TimeUnit.MILLISECONDS)).append(' ');
                } catch (TimeoutException e) {
                    seen.append("alone ");
                }
            }
        });
        System.out.println(shared);
    }
}
