// SPDX-License-Identifier: MIT
import java.io.File;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.ref.Reference;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;

/** Whether a reference has been cleared is the collector's decision. A replay collects where the recording did not. */
public class References {
    @Retention(RetentionPolicy.CLASS)
    @interface DittoIgnore {
    }

    /** A reference of the program's own. */
    static class Entry extends WeakReference<Object> {
        final int number;

        Entry(Object object, int number) {
            super(object);
            this.number = number;
        }
    }

    /** One that overrides what is recorded. */
    static final class Shouting extends Entry {
        static int asked;

        Shouting(Object object, int number) {
            super(object, number);
        }

        @Override
        public Object get() {
            asked++;
            return super.get();
        }
    }

    /** What is not recorded sees the real files: those of the recording are gone in a replay. */
    @DittoIgnore
    static void collectInReplay() {
        if (!new File("data").exists())
            System.gc();
    }

    private static String look(Reference<?> reference) {
        return (reference.get() != null) + "/" + reference.refersTo(null) + " ";
    }

    public static void main(String[] arguments) {
        Object kept = new Object();
        WeakReference<Object> strong = new WeakReference<>(kept), weak = new WeakReference<>(new Object());
        SoftReference<Object> soft = new SoftReference<>(new Object());
        Entry entry = new Entry(new Object(), 1);
        Shouting shouting = new Shouting(new Object(), 2);
        collectInReplay();
        System.out.println(look(strong) + look(weak) + look(soft) + look(entry) + look(shouting));
        System.out.println((entry.get() != null) + " " + (shouting.get() != null) + " " + Shouting.asked);
        System.gc();
        System.out.println(look(strong) + look(weak) + look(entry) + look(shouting));
        System.out.println((strong.get() == kept) + " " + (entry.get() != null) + " " + (shouting.get() != null));
        entry.clear();
        System.out.println(look(entry) + Shouting.asked);
    }
}
