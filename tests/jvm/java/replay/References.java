// SPDX-License-Identifier: MIT

import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;

/**
 * Method references initialize classes. The sleeps decide which thread is the first in a recording; in a replay, where
 * nobody sleeps, it would be another one.
 */
public class References {
    static String log = "";

    static synchronized void note(String text) {
        log += text + " by " + Thread.currentThread().getName() + "; ";
    }

    static class Made {
        static {
            note("Made");
        }

        final int size = 3;
    }

    static class Grown extends Made {
        static {
            note("Grown");
        }
    }

    static class Base {
        static {
            note("Base");
        }

        static int twice(int value) {
            return 2 * value;
        }
    }

    /** Its static method is inherited, and so it is not initialized itself. */
    static class Derived extends Base {
        static {
            note("Derived");
        }
    }

    interface Tool {
        Object NAME = name();

        private static Object name() {
            note("Tool");
            return "tool";
        }

        static int length(int more) {
            return NAME.toString().length() + more;
        }
    }

    static volatile int sum;

    static void use(int milliseconds) {
        Supplier<Made> made = Made::new, grown = Grown::new;
        IntUnaryOperator twice = Derived::twice, length = Tool::length;
        for (int step = 0; step < 4; step++) {
            try {
                Thread.sleep(milliseconds);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            switch (step) {
            case 0:
                sum += made.get().size;
                break;
            case 1:
                sum += twice.applyAsInt(sum);
                break;
            case 2:
                sum += length.applyAsInt(sum);
                break;
            default:
                sum += grown.get().size;
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread[] threads = new Thread[3];
        for (int i = 0; i < threads.length; i++) {
            int milliseconds = 20 * (threads.length - i);
            threads[i] = new Thread(() -> use(milliseconds), "t" + i);
        }
        for (Thread thread : threads)
            thread.start();
        for (Thread thread : threads)
            thread.join();
        System.out.println(log);
        System.out.println(sum);
    }
}
