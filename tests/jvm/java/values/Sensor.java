// SPDX-License-Identifier: MIT
import java.util.Arrays;

/** Native methods that answer something from outside: the file of the first argument, and how often they were called. */
public class Sensor {
    private final int factor;

    private Sensor(int factor) {
        this.factor = factor;
    }

    static native void open(String path) throws java.io.IOException;

    static native boolean isOpen();

    static native byte byteValue();

    static native char charValue();

    static native short shortValue();

    static native int intValue(long a, int[] b, double c, String d, float e);

    static native long longValue();

    static native float floatValue();

    static native double doubleValue();

    static native String text(boolean none);

    static native int[] numbers(int length);

    static native byte[] bytes(int length);

    static native double[] fractions(int length);

    native long times(int number);

    /** Throws an IllegalStateException with the number of calls. */
    static native int fails();

    /** No native method: what it does is not recorded, either. */
    static String java() {
        calls++;
        return Long.toString(System.nanoTime());
    }

    /** Changed by no recorded code, and not read by any. */
    static int calls;

    static final class Worker extends Thread {
        String seen = "";

        @Override
        public void run() {
            for (int i = 0; i < 200; i++)
                seen += longValue() + " ";
        }
    }

    public static void main(String[] arguments) throws Exception {
        System.load(arguments[0]);
        open(arguments[1]);
        System.out.println(isOpen() + " " + byteValue() + " " + (int) charValue() + " " + shortValue() + " "
                + intValue(1, new int[] {2}, 3, "four", 5) + " " + longValue() + " " + floatValue() + " " + doubleValue());
        System.out.println(text(false) + " " + text(true) + " " + Arrays.toString(numbers(3)) + " " + numbers(-1) + " "
                + Arrays.toString(bytes(0)) + " " + Arrays.toString(fractions(2)) + " " + new Sensor(7).times(6));
        for (int i = 0; i < 2; i++) {
            try {
                System.out.println(fails());
            } catch (IllegalStateException e) {
                e.printStackTrace(System.out);
            }
        }
        System.out.println(java());
        Worker[] workers = {new Worker(), new Worker()};
        for (Worker worker : workers)
            worker.start();
        for (Worker worker : workers) {
            worker.join();
            System.out.println(worker.seen);
        }
    }
}
