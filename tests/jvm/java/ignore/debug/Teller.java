// SPDX-License-Identifier: MIT
import debug.DittoIgnore;
import debug.Log;
import java.util.function.IntSupplier;

/** The same with printing added, everywhere. */
public class Teller implements Runnable, Cloneable {
    static int balance;
    @DittoIgnore
    static int printed = 0;
    static int[] slips = new int[2];

    private final int number;
    @DittoIgnore
    int rounds = 7;
    private int done;

    @DittoIgnore
    private static synchronized void count() {
        printed++;
    }

    /** Reads recorded fields, calls recorded methods, prints, throws and catches. */
    @DittoIgnore
    private void show(int round) {
        if (round % 1000 != 0)
            return;
        rounds++;
        count();
        IntSupplier seen = () -> balance + done + slips[number];
        try {
            Log.say(this + " sees " + (seen.getAsInt() >= 0), this);
            throw new IllegalStateException();
        } catch (IllegalStateException e) {
            System.out.println("round " + round + " of " + this);
        }
    }

    @DittoIgnore
    static void report() {
        Thread thread = new Thread(() -> System.out.println("printed " + printed));
        thread.start();
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

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
        Log.say("begins", this);
        for (int i = 0; i < 3000; i++) {
            int before = balance;
            balance = before + 1;
            show(i);
            done = copy().done + 1;
            slips[number] = done;
        }
        Log.say("ends", this);
    }

    @Override
    @DittoIgnore
    public String toString() {
        return "teller " + number + " with " + slips[number] + "/" + done;
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
        report();
        System.out.println("balance " + balance + ", slips " + slips[0] + " " + slips[1]);
    }
}
