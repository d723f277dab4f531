// SPDX-License-Identifier: MIT
package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.ForceInline;

/**
 * Quick events: what the engine would do for an event in a free run, done on the engine's own memory. Here is where
 * things are, by the names that core/engine/quick.h and the order give them, and the choice of the text that the
 * session's order follows. {@code self} is a thread's handle, {@code place} a place; both are addresses.
 */
final class DittoQuick {
    static final Unsafe U = Unsafe.getUnsafe();
    /** In each object: the number of its shadow. Never to be looked at in an array, where it is the length. */
    static final long SHADOW = U.objectFieldOffset(Object.class, "$ditto");
    /**
     * In each Thread: the engine's handle of the thread; 0: the engine does not know it; -n: it does, but recording has
     * been paused n times.
     */
    static final long HANDLE = U.objectFieldOffset(Thread.class, "$dittoThread");

    static final boolean REPLAY = DittoHooks.isReplay();

    /** Where shadows are, and what their numbers count in; an array's begins with the address of its state. And sites. */
    static final long SHADOWS = DittoHooks.shadows(SHADOW);
    static final long SHADOW_UNIT = DittoHooks.shadowUnit();
    static final long SITES = DittoHooks.sites();
    static final long SITE_SIZE = DittoHooks.siteSize();

    static final long RECIPROCAL = layout("object.reciprocal");
    static final long STRIDE = layout("object.stride");
    static final long FIRST_PLACE = layout("object.first_place");
    static final long PLACE_SIZE = layout("object.place_size");
    static final long ACCESS = layout("thread.access");
    static final long REPLAY_ID = layout("thread.replay_id");
    /** In a thread: how deep it is in muted calls. */
    static final long MUTED = layout("thread.muted");

    /** Which text quick events follow. Without one that is translated here, every event is a call. */
    private static final boolean FIELDS = "fields".equals(DittoHooks.quickText());
    static final boolean QUICK = FIELDS;

    /** In ACCESS, beside the place. */
    static final long STORING = 1;
    /** With STORING: begun here, and not by the engine. */
    static final long UPDATING = 2;

    static {
        // Now, and not at its first use, which may be at the end of a stack.
        if (FIELDS)
            U.ensureClassInitialized(DittoQuickFields.class);
    }

    private DittoQuick() {
    }

    /** Where something is, by name. A name that the engine does not know is refused, and the program does not run. */
    static long layout(String name) {
        return DittoHooks.layout(name);
    }

    // One call less for code that is not compiled yet: the mode is chosen here, too.

    /** Begins a load; false: nothing was done, and it needs the engine. */
    @ForceInline
    static boolean beginLoad(long self, long place) {
        return FIELDS && (REPLAY ? DittoQuickFields.beginFree(self, place) : DittoQuickFields.recordLoad(self, place));
    }

    @ForceInline
    static boolean beginStore(long self, long place) {
        return FIELDS && (REPLAY ? DittoQuickFields.beginFree(self, place | STORING)
                : DittoQuickFields.recordStore(self, place));
    }

    /** Ends the load that is under way. */
    @ForceInline
    static void endLoad(long self, long place) {
        if (REPLAY)
            DittoQuickFields.replayLoad(self, place);
        else
            DittoQuickFields.unlock(place);
        U.putLong(self + ACCESS, 0);
    }

    @ForceInline
    static void endStore(long self, long access) {
        if (REPLAY)
            DittoQuickFields.replayStore(self, access - STORING);
        else
            DittoQuickFields.unlock(access - STORING);
        U.putLong(self + ACCESS, 0);
    }

    /** Begins a compare-and-set; in a replay, a free one stores. */
    @ForceInline
    static boolean beginUpdate(long self, long place) {
        return FIELDS && (REPLAY ? DittoQuickFields.beginFree(self, place | UPDATING | STORING)
                : DittoQuickFields.recordUpdateBegin(self, place));
    }

    /** Ends the update that is under way; false: nothing was done, and it needs the engine. */
    @ForceInline
    static boolean endUpdate(long self, long access, boolean stored) {
        long place = access & ~(UPDATING | STORING);
        if (!FIELDS || !stored || access - place != (UPDATING | STORING))
            return false;
        if (REPLAY)
            DittoQuickFields.replayStore(self, place);
        else if (!DittoQuickFields.recordUpdateEnd(self, place))
            return false;
        U.putLong(self + ACCESS, 0);
        return true;
    }
}
