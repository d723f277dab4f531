// SPDX-License-Identifier: MIT
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Identity hashes, and the orders that follow from them. */
public class Hashes {
    private enum Colour { RED, GREEN, BLUE }

    private static final class Plain {
    }

    private enum Size { SMALL, LARGE }

    /** The order of its modules follows from the configuration's hash, which only the JDK asks for. */
    private static void resolve() {
        System.out.println(Configuration.empty().resolve(ModuleFinder.ofSystem(), ModuleFinder.of(), Set.of("java.se"))
                .modules());
    }

    public static void main(String[] arguments) throws InterruptedException {
        /* From JDK 21 on whoever asks first decides for all others. */
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> System.out.println(Size.LARGE.hashCode() + " " + Size.SMALL.hashCode()));
            threads[i].start();
        }
        for (Thread thread : threads)
            thread.join();
        System.out.println(new Object() + " " + new Plain() + " " + new int[1]);
        Set<Object> set = new HashSet<>();
        Map<Object, Integer> identities = new IdentityHashMap<>();
        Map<Class<?>, Integer> classes = new HashMap<>();
        Map<Colour, Integer> colours = new HashMap<>();
        List<Object> kept = new ArrayList<>();
        for (int i = 0; i < 2000; i++) {
            Object object = i % 3 == 0 ? new Object() : i % 3 == 1 ? new Plain() : new byte[i];
            kept.add(object);
            set.add(object);
            identities.put(object, i);
        }
        for (Object object : kept)
            if (!set.contains(object) || !identities.containsKey(object))
                throw new AssertionError();
        for (Class<?> type : new Class<?>[] {Plain.class, Colour.class, Hashes.class, String.class, Integer.class,
                List.class, int[].class, Plain[].class})
            classes.put(type, classes.size());
        for (Colour colour : Colour.values())
            colours.put(colour, colour.ordinal());
        /* Interpreted, this depends on what the JVM initializes in its first steps, and in which order. */
        System.out.println(Map.of("\u4e2d\u56fd\u4e2d\u56fd", 1).get("\u4e2d\u56fd\u4e2d\u56fd"));
        System.out.println(set.hashCode() + " " + new ArrayList<>(identities.values()).subList(0, 10));
        System.out.println(classes);
        System.out.println(colours + " " + Thread.currentThread().hashCode());
        resolve();
        Thread other = new Thread(Hashes::resolve);
        other.start();
        other.join();
    }
}
