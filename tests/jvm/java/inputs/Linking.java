// SPDX-License-Identifier: MIT
import java.text.SimpleDateFormat;
import java.util.Date;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Several threads load classes, link call sites and wake up parts of the JDK, all at once, between their inputs. */
public class Linking {
    static class First {
        static final Object SHARED = new Object();

        @Override
        public String toString() {
            return "first " + SHARED.hashCode();
        }
    }

    static class Second {
        static final long TIME = System.nanoTime();

        @Override
        public String toString() {
            return "second " + TIME;
        }
    }

    public static String called() {
        return "called " + System.currentTimeMillis();
    }

    private static void work(int number) {
        Supplier<String> supplier = () -> new First() + " " + new Second() + " " + System.nanoTime() + number;
        Function<Integer, String> function = Integer::toHexString;
        System.out.println(supplier.get() + function.apply(number) + new Object().hashCode());
        System.out.println(String.format("%d %s %.2f", number, new Object(), 1.5));
        System.out.println(List.of(1, 2, 3).stream().map(i -> i + number).collect(Collectors.toList()));
        try {
            System.out.println(Linking.class.getMethod("called").invoke(null));
        } catch (ReflectiveOperationException e) {
            System.out.println(e);
        }
        System.out.println(new SimpleDateFormat().format(new Date()) + " " + System.nanoTime());
        System.out.println(Linking.class.getResource("Linking.class") != null);
    }

    public static void main(String[] arguments) throws Exception {
        Thread[] threads = new Thread[5];
        for (int i = 0; i < threads.length; i++) {
            int number = i;
            threads[i] = new Thread(() -> work(number));
            threads[i].start();
        }
        for (Thread thread : threads)
            thread.join();
    }
}
