// SPDX-License-Identifier: MIT
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.function.Supplier;

/** Compiled, its classes are the seeds of tests/fuzz/fuzz_classfile.c: small, and with most of what code can hold. */
class Seed {
    @Retention(RetentionPolicy.RUNTIME)
    @Target({ElementType.TYPE_USE, ElementType.FIELD, ElementType.TYPE})
    @interface Mark {
        String[] value() default {};
    }

    record Pair(long a, Object b) {
    }

    interface Code {
        default int twice(int x) {
            return x + x;
        }
    }

    static class Sync {
        long total;
        static double sum;

        synchronized long add(int[] values) {
            try {
                for (int value : values)
                    total += value;
                return total;
            } catch (RuntimeException problem) {
                synchronized (values) {
                    return -total;
                }
            }
        }

        static synchronized double half(double[] values, int i) {
            return sum = values[i] / 2;
        }
    }

    static class Switches {
        @Deprecated
        Object last;

        String name(int key, String text) {
            @Mark("local") Object seen = text;
            switch (key) {
            case 1:
                last = "one";
                break;
            case 2:
                last = (@Mark Object) seen;
                break;
            case 1000:
                last = new Object[] {key > 5 ? text : last};
                break;
            default:
                last = new @Mark StringBuilder(text == null ? "x" : text);
            }
            return last.toString();
        }
    }

    static Supplier<String> lambda(char[] text) {
        return () -> {
            text[0] = 'x';
            return new String(text);
        };
    }
}
