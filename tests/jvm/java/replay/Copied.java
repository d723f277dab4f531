// SPDX-License-Identifier: MIT

/** It is not recorded, and copies its objects with the clone() that it inherits from Object. */
class Original implements Cloneable {
    Original copy() {
        try {
            return (Original) clone();
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }
}

/** Two threads each hold the monitor of an object, one of which is a copy of the other, at the same time. */
public class Copied {
    static volatile int step;

    static void await(int wanted) {
        while (step < wanted)
            Thread.yield();
    }

    public static void main(String[] args) throws InterruptedException {
        Original original = new Original();
        synchronized (original) {
            step = 1;
        }
        Original copy = original.copy();
        Thread thread = new Thread(() -> {
            synchronized (copy) {
                step = 2;
                await(3);
            }
        });
        thread.start();
        await(2);
        synchronized (original) {
            step = 3;
        }
        thread.join();
        System.out.println("step " + step);
    }
}
