// SPDX-License-Identifier: MIT

/** Timed joins that may or may not be in time, joins of threads that never start, daemon threads, isAlive, getState. */
public class Joins {
    static volatile int progress;
    static int work;

    public static void main(String[] args) throws Exception {
        Thread daemon = new Thread(() -> {
            for (;;)
                progress++;
        });
        daemon.setDaemon(true);
        daemon.start();
        int early = 0, late = 0;
        for (int i = 0; i < 20; i++) {
            int amount = i * 60;
            Thread thread = new Thread(() -> {
                for (int n = 0; n < amount; n++)
                    work++;
            });
            thread.start();
            thread.join(1);
            if (thread.isAlive())
                early++;
            else
                late++;
            thread.join(0, 500000);
            thread.join();
        }
        Thread waiting = new Thread(() -> {
            synchronized (daemon) {
                try {
                    daemon.wait();
                } catch (InterruptedException e) {
                    System.out.println("interrupted");
                }
            }
        });
        waiting.start();
        int looks = 0;
        while (waiting.getState() != Thread.State.WAITING)
            looks++;
        System.out.println(looks + " looks; " + Thread.activeCount() + " threads");
        waiting.interrupt();
        Thread never = new Thread(() -> System.out.println("never"));
        never.join();
        System.out.println(never.isAlive() + " early " + early + " late " + late + " work " + work + " progress " + progress);
        try {
            daemon.start();
        } catch (IllegalThreadStateException e) {
            System.out.println("started already");
        }
    }
}
