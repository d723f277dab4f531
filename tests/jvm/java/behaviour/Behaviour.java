// SPDX-License-Identifier: MIT
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** Prints the same lines, line numbers of stack traces included, whether it is instrumented or not. */
public class Behaviour {
    int number;
    long large;
    double real;
    Object reference;
    static int staticNumber;
    static long staticLarge;
    static double staticReal;
    static String staticText;
    static int thrown;

    static void say(String text) {
        System.out.println(text);
    }

    /** The exception's name and the line it came from. */
    static String where(Throwable problem) {
        thrown++;
        StackTraceElement[] trace = problem.getStackTrace();
        return problem.getClass().getSimpleName() + " at line " + (trace.length == 0 ? 0 : trace[0].getLineNumber());
    }

    interface Action {
        void run() throws Throwable;
    }

    static void expect(Action action) {
        try {
            action.run();
            say("nothing thrown");
        } catch (Throwable problem) {
            say(where(problem));
        }
    }

    void fields() {
        number = 1;
        number += 41;
        large = 1L << 40;
        large++;
        real = 0.5;
        real *= 3;
        reference = this;
        staticNumber = number;
        staticLarge = large;
        staticReal = real;
        staticText = "text";
        say(number + " " + large + " " + real + " " + (reference == this) + " " + staticNumber + " " + staticLarge + " "
            + staticReal + " " + staticText);
    }

    static void arrays() {
        boolean[] z = {true, false};
        byte[] b = {1, 2};
        char[] c = {'a', 'b'};
        short[] s = {3, 4};
        int[] i = {5, 6};
        long[] l = {7, 8};
        float[] f = {9, 10};
        double[] d = {11, 12};
        Object[] o = {"x", "y"};
        int[][] deep = new int[3][4];
        z[1] |= z[0];
        b[1] += b[0]++;
        c[1] += c[0];
        s[1] <<= s[0];
        i[1] = i[0] = i[1] + 1;
        l[1] += l[0];
        f[1] /= f[0];
        d[1] -= d[0]--;
        o[1] = o[0];
        deep[2][3] += deep[1].length;
        say(z[1] + " " + b[1] + " " + (int) c[1] + " " + s[1] + " " + i[1] + " " + l[1] + " " + f[1] + " " + d[1] + " "
            + o[1] + " " + deep[2][3]);
    }

    static void exceptions() {
        Behaviour none = null;
        int[] ints = {1};
        Object[] strings = new String[1];
        double[] reals = null;
        expect(() -> say("" + none.number));
        expect(() -> none.large = 5);
        expect(() -> ints[-1]++);
        expect(() -> ints[1] = 7);
        expect(() -> strings[0] = 5);
        expect(() -> reals[0] = 1);
        expect(() -> {
            synchronized ((Object) null == ints ? ints : none.reference) {
                say("not reached");
            }
        });
        expect(() -> {
            Object lock = none;
            synchronized (lock) {
                say("not reached");
            }
        });
        say(nested(ints, null) + " " + nested(ints, ints) + " " + nested(null, ints));
    }

    /** Handlers of several kinds cover one access, and need locals of theirs. */
    static String nested(int[] first, int[] second) {
        String text = "start";
        int step = 0;
        try {
            step = 1;
            Object mixed = first;
            try {
                text = text + first[0];
                step = 2;
                mixed = "now a string";
                text = text + second[step];
            } catch (NullPointerException problem) {
                text = text + " null after " + step + " " + mixed.getClass().getSimpleName() + where(problem);
                mixed = step;
                throw new IllegalStateException(text);
            } finally {
                step += 10;
                text = text + " finally " + step + (mixed instanceof Integer);
            }
        } catch (IllegalStateException | ArrayIndexOutOfBoundsException problem) {
            text = text + " caught " + step + where(problem);
        } catch (RuntimeException problem) {
            text = text + " other " + step;
        }
        return text;
    }

    synchronized int countDown(int n) {
        if (n == 0)
            return number;
        synchronized (reference) {
            number += n;
            synchronized (this) {
                return countDown(n - 1);
            }
        }
    }

    synchronized long throwing(int[] values, int n) {
        try {
            for (int i = 0;; i++)
                large += values[i] / n;
        } catch (ArithmeticException problem) {
            return -1;
        }
    }

    static synchronized double staticThrowing(double[] values, int n) {
        double sum = 0;
        while (n >= 0)
            sum += values[n--];
        if (sum > 100)
            throw new IllegalArgumentException("large");
        return sum;
    }

    synchronized void nothing() {
    }

    synchronized void forever(int[] values) {
        for (;;)
            values[number++]++;
    }

    void monitors() {
        reference = new Object();
        number = 0;
        say("" + countDown(10));
        expect(() -> say("" + throwing(new int[] {1, 2}, 1)));
        expect(() -> say("" + throwing(new int[] {1, 2}, 0)));
        expect(() -> say("" + staticThrowing(new double[] {1, 2}, 1)));
        expect(() -> say("" + staticThrowing(new double[] {1, 200}, 1)));
        expect(() -> say("" + staticThrowing(null, 1)));
        nothing();
        number = 0;
        expect(() -> forever(new int[5]));
        say(Thread.holdsLock(this) + " " + Thread.holdsLock(Behaviour.class) + " " + Thread.holdsLock(reference));
    }

    private int turn;

    synchronized void ping(int parity, int rounds) throws InterruptedException {
        for (int i = 0; i < rounds; i++) {
            while (turn % 2 != parity)
                wait();
            turn++;
            notifyAll();
        }
    }

    static int shared;

    static synchronized void add() {
        shared++;
    }

    static void threads() throws Exception {
        Behaviour pair = new Behaviour();
        Thread[] threads = new Thread[4];
        for (int t = 0; t < threads.length; t++) {
            int id = t;
            threads[t] = new Thread(() -> {
                try {
                    for (int i = 0; i < 5000; i++)
                        add();
                    if (id < 2)
                        pair.ping(id, 200);
                } catch (InterruptedException problem) {
                    say(where(problem));
                }
            });
            threads[t].start();
        }
        for (Thread thread : threads)
            thread.join();
        say(shared + " " + pair.turn);
    }

    enum Colour { RED, GREEN, BLUE }

    static int switches(int key, String text, Colour colour) {
        int result = staticNumber;
        switch (key) {
        case 0:
            result += 1;
        case 1:
            result += 10;
            break;
        case 2:
            result += 100;
            break;
        default:
            result -= 1;
        }
        switch (key * 1000) {
        case -5000:
            return result;
        case 2000:
            result += staticNumber;
            break;
        case 1000000:
            result = 0;
        }
        switch (text) {
        case "Aa":
            result += 3;
            break;
        case "BB":
            result += 5;
            break;
        }
        switch (colour) {
        case RED:
            return result * 2;
        case BLUE:
            return result * 3;
        default:
            return result;
        }
    }

    record Point(int x, long y, String name) {
        Point {
            if (x < 0)
                throw new IllegalArgumentException();
        }

        synchronized long sum() {
            return x + y + name.length();
        }
    }

    interface Shape {
        int[] CORNERS = {new int[] {3}[0]};

        default int corners() {
            return twice(CORNERS[0]);
        }

        private int twice(int n) {
            return 2 * n + CORNERS.length;
        }

        static int all() {
            return CORNERS[0];
        }
    }

    static class Broken {
        static int value = Integer.parseInt("no number");
    }

    static class Early {
        static int[] table = new int[10];
        static long count;

        static {
            for (int i = 0; i < table.length; i++) {
                table[i] = i * i;
                count += table[i];
            }
        }
    }

    class Inner extends Exception {
        final int kept;
        final Object outerReference;

        Inner(int[] values, int index) {
            super("value " + values[index] + " " + staticNumber);
            kept = values[index];
            outerReference = reference;
        }
    }

    static void shapes() {
        Point point = new Point(3, 4, "five");
        say(point + " " + point.sum() + " " + point.equals(new Point(3, 4, "five")));
        expect(() -> new Point(-1, 0, ""));
        Shape shape = new Shape() {
        };
        say(shape.corners() + " " + Shape.all());
        int[] box = {1};
        IntSupplier counter = () -> box[0]++;
        Supplier<Object> method = new Behaviour()::toString;
        say(counter.getAsInt() + counter.getAsInt() + " " + method.get().toString().startsWith("Behaviour@"));
        expect(() -> say("" + Broken.value));
        expect(() -> Broken.value = 5);
        say(Early.count + " " + Early.table[9]);
        Behaviour outer = new Behaviour();
        Inner inner = outer.new Inner(box, 0);
        say(inner.getMessage() + inner.kept + (inner.outerReference == null));
        expect(() -> outer.new Inner(box, 1));
        expect(() -> outer.new Inner(null, 1));
        for (int key = -5; key < 4; key++)
            say(switches(key, key % 2 == 0 ? "Aa" : "BB", Colour.values()[key + 5 < 3 ? key + 5 : 0]) + "");
    }

    static int recursion(int[] values, int n) {
        return values[0] + recursion(values, n + values[0]);
    }

    /** Where the stack ends is chance, and so is whether hooks can still be called there. */
    static void overflow() {
        try {
            recursion(new int[] {1}, 0);
        } catch (StackOverflowError problem) {
            say("stack overflow");
        }
    }

    public static void main(String[] arguments) throws Exception {
        Behaviour behaviour = new Behaviour();
        behaviour.fields();
        arrays();
        exceptions();
        behaviour.monitors();
        threads();
        shapes();
        say(Large.run());
        say(OldStyle.run());
        for (String name : new String[] {"OddJsr", "OddLock", "OddFifty", "OddTypes"})
            say(name + " " + Class.forName(name).getMethod("run", int.class).invoke(null, 37));
        if (arguments.length > 0)
            overflow();
        say("thrown " + thrown);
    }
}
