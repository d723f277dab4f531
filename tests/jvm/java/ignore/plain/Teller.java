// SPDX-License-Identifier: MIT

/** Two tellers share an account without a lock. */
public class Teller implements Runnable, Cloneable {
    static int balance;
    static int[] slips = new int[2];

    private final int number;
    private int done;

    Teller(int number) {
        this.number = number;
    }

    private Teller copy() {
        try {
            return (Teller) clone();
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void run() {
        for (int i = 0; i < 3000; i++) {
            int before = balance;
            balance = before + 1;
            done = copy().done + 1;
            slips[number] = done;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread[] threads = new Thread[2];
        for (int i = 0; i < threads.length; i++) {
            Teller teller = new Teller(i);
            threads[i] = new Thread(() -> teller.run(), "teller " + i);
            threads[i].start();
        }
        for (Thread thread : threads)
            thread.join();
        System.out.println("balance " + balance + ", slips " + slips[0] + " " + slips[1]);
    }
}
