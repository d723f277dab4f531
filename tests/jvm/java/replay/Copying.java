// SPDX-License-Identifier: MIT

import java.util.ArrayList;

/** Threads copy objects with clone() while others store to their fields: what is in each copy is a matter of luck. */
public class Copying {
    /** Fields of all sizes. Its subclasses come to Object.clone() in different ways. */
    static class Sample implements Cloneable {
        boolean flag;
        byte small;
        char letter;
        short number;
        int count;
        float ratio;
        volatile long total;
        double mean;
        String text = "";
        int[] last = new int[1];

        void set(int value) {
            flag = (value & 1) != 0;
            small = (byte) value;
            letter = (char) ('a' + value % 26);
            number = (short) value;
            count = value;
            ratio = value / 2f;
            total = 3L * value;
            mean = value / 4.0;
            text = "sample " + value;
            last = new int[value % 7];
        }

        long seen() {
            long sum = flag ? 1 : 0;
            sum = sum * 31 + small;
            sum = sum * 31 + letter;
            sum = sum * 31 + number;
            sum = sum * 31 + count;
            sum = sum * 31 + (long) (ratio * 2);
            sum = sum * 31 + total;
            sum = sum * 31 + (long) (mean * 4);
            sum = sum * 31 + text.hashCode();
            return sum * 31 + last.length;
        }

        /** The clone() that it inherits, or that of a subclass. */
        Sample copy() {
            try {
                return (Sample) clone();
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }
    }

    static class Named extends Sample {
        int version;

        @Override
        void set(int value) {
            super.set(value);
            version++;
        }

        @Override
        long seen() {
            return super.seen() * 31 + version;
        }

        @Override
        protected Named clone() throws CloneNotSupportedException {
            return (Named) super.clone();
        }
    }

    /** Its clone() is the JDK's. */
    static class Samples extends ArrayList<Integer> {
        private static final long serialVersionUID = 1;
        int version;
    }

    static final Sample plain = new Sample();
    static final Named named = new Named();
    static final Samples list = new Samples();
    static volatile boolean done;

    static void change(int rounds) {
        for (int i = 0; i < rounds; i++) {
            plain.set(i);
            named.set(i + 1);
            list.version = i;
        }
        done = true;
    }

    static long copy() {
        long sum = 0;
        do {
            sum = sum * 31 + plain.copy().seen();
            sum = sum * 31 + named.copy().seen();
            sum = sum * 31 + ((Samples) list.clone()).version;
        } while (!done);
        return sum;
    }

    public static void main(String[] args) throws InterruptedException {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 2000;
        long[] sums = new long[2];
        Thread[] threads = new Thread[sums.length + 1];
        threads[0] = new Thread(() -> change(rounds));
        for (int i = 1; i < threads.length; i++) {
            int id = i - 1;
            threads[i] = new Thread(() -> sums[id] = copy());
        }
        for (Thread thread : threads)
            thread.start();
        for (Thread thread : threads)
            thread.join();
        for (long sum : sums)
            System.out.println("copies " + Long.toHexString(sum));
    }
}
