// SPDX-License-Identifier: MIT
import java.util.concurrent.locks.LockSupport;

/** Looks as if it stood still, for longer than a second each time; or stands still. */
class Standing {
    static boolean done;

    static synchronized void await(Object other) throws InterruptedException {
        while (!done)
            Standing.class.wait();
    }

    static void parked() {
        Thread main = Thread.currentThread();
        Thread thread = new Thread(() -> {
            while (!done)
                LockSupport.park();
        });
        thread.start();
        while (main.isAlive())
            LockSupport.park();
    }

    public static void main(String[] args) throws Exception {
        if (args[0].equals("parked"))
            parked();
        Thread waiter = new Thread(() -> {
            try {
                await(null);
            } catch (InterruptedException e) {
                System.out.println("interrupted");
            }
        });
        waiter.start();
        Thread.sleep(1300);
        Object lock = new Object();
        synchronized (lock) {
            lock.wait(1300);
        }
        new ProcessBuilder("sleep", "1.3").start().waitFor();
        synchronized (Standing.class) {
            done = true;
            Standing.class.notifyAll();
        }
        waiter.join();
        System.out.println("done");
    }
}
