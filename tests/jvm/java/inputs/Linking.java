// SPDX-License-Identifier: MIT
import java.io.ByteArrayOutputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Proxy;
import java.security.MessageDigest;
import java.text.Collator;
import java.text.SimpleDateFormat;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.FormatStyle;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.logging.Logger;
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

    @Retention(RetentionPolicy.RUNTIME)
    @interface Marked {
        int value() default 3;
    }

    @Retention(RetentionPolicy.RUNTIME)
    @interface Named {
        String value();
    }

    @Marked
    @Named("kept")
    static class Kept implements Serializable {
        long time = System.nanoTime();
    }

    /** Their proxies are numbered in the program's own package, as they come. */
    interface Adding {
        int add(int number);
    }

    interface Telling {
        String tell();
    }

    static int asked;

    @SuppressWarnings("unchecked")
    private static <T> T proxy(Class<T> type) {
        return (T) Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type},
                (proxy, method, arguments) -> {
                    asked++;
                    return method.getReturnType() == int.class ? (Object) asked : "told " + asked;
                });
    }

    /** What the JDK makes for whoever asks first, and keeps. */
    private static void wake(int number) throws Exception {
        if (number % 2 == 0)
            System.out.println(proxy(Adding.class).add(number) + proxy(Telling.class).tell());
        else
            System.out.println(proxy(Telling.class).tell() + proxy(Adding.class).add(number));
        System.out.println(Kept.class.getAnnotation(Marked.class).value() + Kept.class.getAnnotation(Named.class).value());
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new ObjectOutputStream(bytes).writeObject(new Kept());
        System.out.println(MessageDigest.getInstance("SHA-256").digest(bytes.toByteArray())[0]);
        ZonedDateTime time = ZonedDateTime.now(ZoneId.of("America/New_York"));
        /* No zones: JDK 17 itself gets their names wrong when several threads ask at once. */
        System.out.println(DateTimeFormatter.ofLocalizedDateTime(FormatStyle.MEDIUM).withLocale(Locale.GERMANY).format(time));
        System.out.println(Collator.getInstance(Locale.GERMANY).compare("a", "\u00e4"));
        System.out.println(Logger.getLogger("linking." + number).isLoggable(java.util.logging.Level.FINE));
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
        try {
            wake(number);
        } catch (Exception e) {
            System.out.println(e);
        }
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
