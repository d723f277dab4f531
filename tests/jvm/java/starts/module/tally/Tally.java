// SPDX-License-Identifier: MIT
package tally;

/** Three threads count without a lock, and each says now and then what it sees. */
public class Tally {
    static int total;

    static String mark() {
        return "plain";
    }

    public static void main(String[] args) throws InterruptedException {
        Thread[] threads = new Thread[3];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> {
                for (int k = 0; k < 1000; k++) {
                    total++;
                    if (k % 250 == 0)
                        System.out.println(Thread.currentThread().getName() + " sees " + total);
                }
            });
            threads[i].start();
        }
        for (Thread thread : threads)
            thread.join();
        System.out.println(mark() + " " + total + " " + System.getProperty("extra", "none") + " "
                + String.join(",", args));
    }
}
