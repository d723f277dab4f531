// SPDX-License-Identifier: MIT
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** ReentrantLock, fair and not, with tryLock and conditions. */
final class Locks {
    static final ReentrantLock LOCK = new ReentrantLock();
    static final ReentrantLock FAIR = new ReentrantLock(true);
    static final Condition CHANGED = LOCK.newCondition();
    static int shared, turns;

    public static void main(String[] arguments) throws Exception {
        Race.run(3, (me, seen) -> {
            int missed = 0;
            for (int i = 0; i < 100; i++) {
                LOCK.lock();
                try {
                    shared = shared * 3 + me;
                    if (i % 25 == 0)
                        seen.append(shared).append(' ');
                } finally {
                    LOCK.unlock();
                }
                if (LOCK.tryLock()) {
                    shared++;
                    LOCK.unlock();
                } else {
                    missed++;
                }
                FAIR.lock();
                turns = turns * 7 + me;
                FAIR.unlock();
            }
            seen.append("missed ").append(missed);
        });
        System.out.println(shared + " " + turns);
        shared = 0;
        Race.run(4, (me, seen) -> {
            for (int i = 0; i < 20; i++) {
                LOCK.lock();
                try {
                    int waits = 0;
                    while (me % 2 == 0 ? shared >= 3 : shared == 0) {
                        if (waits % 2 == 0)
                            CHANGED.await();
                        else
                            CHANGED.await(50, TimeUnit.MILLISECONDS);
                        waits++;
                    }
                    shared += me % 2 == 0 ? 1 : -1;
                    seen.append(shared).append(waits > 1 ? "* " : " ");
                    CHANGED.signalAll();
                } finally {
                    LOCK.unlock();
                }
            }
        });
    }
}
