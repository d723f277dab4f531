// SPDX-License-Identifier: MIT
import java.util.concurrent.locks.ReentrantLock;

/**
 * Two threads take two locks of the JDK, which are not recorded, in opposite orders, and meet in between: a deadlock that
 * the engine cannot see.
 */
class Locked {
    static boolean first, second;

    static synchronized void come(boolean one) throws InterruptedException {
        if (one)
            first = true;
        else
            second = true;
        Locked.class.notifyAll();
        while (!first || !second)
            Locked.class.wait();
    }

    static void run(ReentrantLock mine, ReentrantLock other, boolean one) {
        mine.lock();
        try {
            come(one);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        other.lock();
        System.out.println("no deadlock");
    }

    public static void main(String[] args) {
        ReentrantLock a = new ReentrantLock(), b = new ReentrantLock();
        new Thread(() -> run(a, b, true)).start();
        new Thread(() -> run(b, a, false)).start();
    }
}
