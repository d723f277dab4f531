// SPDX-License-Identifier: MIT

/** Interrupts that come at any time: in a wait, a sleep, a join, a loop. */
public class Interrupts {
    static int spins;

    static class Worker extends Thread {
        private final Object lock = new Object();
        private final Thread other;
        int interrupts;

        Worker(Thread other) {
            this.other = other;
        }

        @Override
        public void run() {
            for (int i = 0; i < 12; i++) {
                try {
                    if (i % 4 == 0) {
                        synchronized (lock) {
                            lock.wait();
                        }
                    } else if (i % 4 == 1) {
                        sleep(100000);
                    } else if (i % 4 == 2) {
                        other.join();
                    } else {
                        while (!isInterrupted())
                            spins++;
                        System.out.println(Thread.currentThread().isInterrupted() + " " + interrupted() + " " + interrupted());
                    }
                } catch (InterruptedException e) {
                    interrupts++;
                    System.out.println(getName() + " " + i + " " + e.getMessage() + ", then " + isInterrupted());
                }
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Thread main = Thread.currentThread();
        Worker one = new Worker(main), two = new Worker(main);
        one.start();
        two.start();
        int rounds = 0;
        while (one.isAlive() || two.isAlive()) {
            one.interrupt();
            two.interrupt();
            Thread.sleep(1);
            rounds++;
        }
        one.join(10);
        two.join();
        System.out.println("rounds " + rounds + " spins " + spins + " interrupts " + one.interrupts + " " + two.interrupts);
    }
}
