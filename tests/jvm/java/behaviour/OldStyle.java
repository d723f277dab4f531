// SPDX-License-Identifier: MIT
/** Compiled for an old release and then marked as older still, so that it has no stack maps for the JVM. */
public class OldStyle {
    private final int[] values = new int[3];
    private long sum;
    private static Object last;

    OldStyle(int start) {
        for (int i = 0; i < values.length; i++)
            values[i] = start + i;
    }

    synchronized long add(int from, int to) {
        try {
            for (int i = from; i < to; i++)
                sum += values[i];
        } catch (ArrayIndexOutOfBoundsException problem) {
            synchronized (values) {
                sum = -sum;
            }
        } finally {
            last = this;
        }
        return sum;
    }

    static synchronized boolean isLast(Object object) {
        return last == object;
    }

    static String run() {
        OldStyle old = new OldStyle(5);
        String text = old.add(0, 3) + " " + old.add(0, 4) + " " + isLast(old) + " " + isLast(null);
        return text + Thread.holdsLock(old) + Thread.holdsLock(old.getClass());
    }
}
