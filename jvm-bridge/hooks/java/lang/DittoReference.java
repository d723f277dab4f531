// SPDX-License-Identifier: MIT
package java.lang;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import jdk.internal.misc.Unsafe;

/**
 * Weak and soft references of the program. Whether one has been cleared is an input wherever the program asks. In a
 * replay the collector must not be faster than it was in the recording: so what a reference refers to is held here until
 * the recording has found it gone, or the reference itself has died.
 *
 * <p>That is a list of entries, each of which knows its reference weakly; guarded by the class.
 */
public final class DittoReference extends WeakReference<Reference<?>> {
    /** The kind of input; inputs.h has all. */
    private static final int REFERENT = 46;

    private static final Unsafe U = Unsafe.getUnsafe();
    private static final long REFERENT_OFFSET = U.objectFieldOffset(Reference.class, "referent");

    private static final ReferenceQueue<Reference<?>> DEAD = new ReferenceQueue<>();
    private static final DittoReference HEAD = new DittoReference(null, null);

    private Object kept;
    private DittoReference before = this, after = this;

    private DittoReference(Reference<?> reference, Object kept) {
        super(reference, DEAD);
        this.kept = kept;
    }

    /** The collector sees to it that what is read so stays alive, as with Reference.get. */
    private static Object read(Reference<?> reference) {
        return U.getReference(reference, REFERENT_OFFSET);
    }

    /** A reference has been made. */
    public static void made(Reference<?> reference) {
        if (!DittoQuick.REPLAY || !DittoHooks.isKnown())
            return;
        Class<?> type = reference.getClass();
        boolean ofProgram = type.getClassLoader0() != null;
        if (type != WeakReference.class && type != SoftReference.class
                && !(ofProgram && (reference instanceof WeakReference || reference instanceof SoftReference)))
            return;
        Object object = read(reference);
        if (object != null)
            keep(new DittoReference(reference, object));
    }

    private static synchronized void keep(DittoReference entry) {
        for (Reference<?> dead = DEAD.poll(); dead != null; dead = DEAD.poll())
            ((DittoReference) dead).remove();
        entry.after = HEAD.after;
        entry.before = HEAD;
        HEAD.after.before = entry;
        HEAD.after = entry;
    }

    private void remove() {
        before.after = after;
        after.before = before;
        kept = null;
    }

    /** The input; in a muted call it is none, as the collections that the JDK keeps references in are not recorded. */
    private static boolean input(boolean found) {
        return DittoHooks.isMuted() ? found : DittoHooks.input(REFERENT, found ? 1 : 0) != 0;
    }

    /** Whether the object, which was found or not, is there for the program. */
    private static Object input(Object object) {
        boolean there = input(object != null);
        if (there && object == null)
            DittoHooks.lostReferent();
        return there ? object : null;
    }

    /** In place of Reference.get. A class of the program that overrides it asks again. */
    public static Object get(Reference<?> reference) {
        Object object = reference.get();
        return overrides(reference.getClass()) ? object : input(object);
    }

    /** In place of super.get() in a class that overrides it. */
    public static Object superGet(Reference<?> reference) {
        return input(read(reference));
    }

    /** In place of Reference.refersTo. */
    @SuppressWarnings("unchecked")
    public static boolean refersTo(Reference<?> reference, Object object) {
        return input(((Reference<Object>) reference).refersTo(object));
    }

    private static boolean overrides(Class<?> type) {
        for (; type.getClassLoader0() != null; type = type.getSuperclass()) {
            try {
                type.getDeclaredMethod("get");
                return true;
            } catch (NoSuchMethodException e) {
                // A superclass may.
            }
        }
        return false;
    }
}
