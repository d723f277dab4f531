// SPDX-License-Identifier: MIT
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;

/** ReentrantReadWriteLock and StampedLock; park and unpark by hand. */
final class SharedLocks {
    static final ReentrantReadWriteLock READ_WRITE = new ReentrantReadWriteLock();
    static final StampedLock STAMPED = new StampedLock();
    static long first, second;
    static volatile Thread parked;
    static volatile int turn;

    public static void main(String[] arguments) throws Exception {
        Race.run(3, (me, seen) -> {
            int optimistic = 0;
            for (int i = 0; i < 100; i++) {
                if (i % 5 == me) {
                    READ_WRITE.writeLock().lock();
                    first = first * 3 + me;
                    READ_WRITE.readLock().lock();
                    READ_WRITE.writeLock().unlock();
                } else {
                    READ_WRITE.readLock().lock();
                }
                if (i % 20 == 0)
                    seen.append(first).append(' ');
                READ_WRITE.readLock().unlock();

                long stamp = STAMPED.tryOptimisticRead();
                long value = second;
                if (STAMPED.validate(stamp)) {
                    optimistic++;
                } else {
                    stamp = STAMPED.readLock();
                    value = second;
                    long write = STAMPED.tryConvertToWriteLock(stamp);
                    if (write != 0) {
                        second++;
                        stamp = write;
                    }
                    STAMPED.unlock(stamp);
                }
                if (i % 3 == 0) {
                    stamp = STAMPED.writeLock();
                    second = second * 5 + me + (value & 1);
                    STAMPED.unlockWrite(stamp);
                }
            }
            seen.append(optimistic);
        });
        System.out.println(first + " " + second);

        Race.run(2, (me, seen) -> {
            for (int i = 0; i < 50; i++) {
                int spins = 0;
                while (turn != me) {
                    parked = Thread.currentThread();
                    if (turn != me && ++spins > 20)
                        LockSupport.parkNanos(1_000_000);
                    else if (turn != me)
                        Thread.onSpinWait();
                    else
                        Thread.yield();
                }
                seen.append(spins > 20 ? '.' : spins > 0 ? ',' : '!');
                turn = 1 - me;
                LockSupport.unpark(parked);
            }
        });
    }
}
