// SPDX-License-Identifier: MIT
package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * The quick events of the order {@code ditto}: what core/orders/ditto/record.c and replay.c do for an event in a
 * free run, on the engine's own memory; core/engine/quick.h says where things are. {@code self} is a thread's handle,
 * {@code place} a place; both are addresses.
 *
 * <p>Events are calls, though their calls are all inlined: a method of the program with a dozen accesses that each had
 * an event inlined took the compilers longer than the program then ran, and was not faster afterwards.
 *
 * <p>What holds the program's access between begin and end, against the compiler: recording, the exchange that takes
 * the lock and the release that gives it back; replaying, the end of each event is an atomic operation, so nothing
 * moves from one event into the next.
 *
 * <p>Any call here may run out of stack, in code that is not compiled. So an access is written down as under way before
 * its lock is taken, and as ended after the lock is let go: whoever then abandons it finds in the lock who has it. (The
 * JVM's reserved stack is no help: the methods around which it is kept free are inlined into the program's, which go on
 * to use it up, and the program is thrown a second error after it has caught the first.)
 */
final class DittoOrder {
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

    /** In the order of enum ditto_quick_number, and then whether there are quick events at all. */
    private static final long[] NUMBERS = DittoHooks.quick();

    static final long RECIPROCAL = number(0);
    static final long FIRST_PLACE = number(1);
    static final long PLACE_SIZE = number(2);
    static final long ACCESS = number(3);
    private static final long CLOCK = number(4);
    private static final long EVENTS = number(5);
    static final long REPLAY_ID = number(6);
    private static final long WORD = number(7);
    private static final long USED = number(8);
    private static final long TAIL = number(9);
    private static final long RUN = number(10);
    private static final long STORE_CLOCK = number(11);
    private static final long LOAD_CLOCK = number(12);
    private static final long LOAD_COUNT = number(13);
    private static final long LOCK = number(14);
    private static final long SLEEPERS = number(15);
    private static final boolean FENCED = number(16) != 0;
    private static final long WAITERS = number(17);
    private static final long STORER = number(18);
    private static final long LOADER = number(19);
    private static final long SEEN_CLOCK = number(20);
    private static final long SEEN_THREAD = number(21);
    private static final int SEEN_SIZE = (int) number(22);
    private static final long STOP_FLAG = number(23);
    static final long STRIDE = number(24);
    /** In a thread: how deep it is in muted calls. */
    static final long MUTED = number(25);
    static final boolean QUICK = number(26) != 0;

    private static final int NOBODY = 0;
    private static final int MANY = -1;
    private static final int LARGEST_TAIL = -1;
    private static final long STORING = 1;
    /** With STORING: begun here, and not by the engine. */
    private static final long UPDATING = 2;

    private DittoOrder() {
    }

    private static long number(int index) {
        return NUMBERS[index];
    }

    /** Begins a load; false: nothing was done, and it needs the engine. */
    @ForceInline
    static boolean beginLoad(long self, long place) {
        return REPLAY ? beginFree(self, place) : recordLoad(self, place);
    }

    @ForceInline
    static boolean beginStore(long self, long place) {
        return REPLAY ? beginFree(self, place | STORING) : recordStore(self, place);
    }

    /** Ends the load that is under way. */
    @ForceInline
    static void endLoad(long self, long place) {
        if (REPLAY)
            replayLoad(self, place);
        else
            unlock(place);
        U.putLong(self + ACCESS, 0);
    }

    @ForceInline
    static void endStore(long self, long access) {
        if (REPLAY)
            replayStore(self, access - STORING);
        else
            unlock(access - STORING);
        U.putLong(self + ACCESS, 0);
    }

    /** Begins a compare-and-set; in a replay, a free one stores. */
    @ForceInline
    static boolean beginUpdate(long self, long place) {
        long access = place | UPDATING | STORING;
        return REPLAY ? beginFree(self, access) : hasRoom(self) && lock(self, U.getInt(self + REPLAY_ID) + 1, place, access);
    }

    /** Ends the update that is under way; false: nothing was done, and it needs the engine. */
    @ForceInline
    static boolean endUpdate(long self, long access, boolean stored) {
        long place = access & ~(UPDATING | STORING);
        if (!stored || access - place != (UPDATING | STORING))
            return false;
        if (REPLAY) {
            replayStore(self, place);
        } else {
            if (!noteStore(self, place, U.getInt(self + REPLAY_ID) + 1, U.getLong(self + WORD), U.getInt(self + TAIL)))
                return false;
            unlock(place);
        }
        U.putLong(self + ACCESS, 0);
        return true;
    }

    // Recording

    /** Whether the thread's stream has room for one more free event. */
    @ForceInline
    private static boolean hasRoom(long self) {
        return U.getLong(self + WORD) != 0 && U.getInt(self + TAIL) != LARGEST_TAIL;
    }

    /** Whether a tick of the thread at that clock is known to come before. */
    @ForceInline
    private static boolean isKnown(long self, int me, int thread, long clock) {
        if (thread == NOBODY || thread == me)
            return true;
        if (SEEN_SIZE == 0)
            return false;
        long at = thread & SEEN_SIZE - 1;
        return U.getInt(self + SEEN_THREAD + 4 * at) == thread
                && Long.compareUnsigned(U.getLong(self + SEEN_CLOCK + 8 * at), clock) >= 0;
    }

    @ForceInline
    private static boolean isStopped() {
        return U.getByte(null, STOP_FLAG) != 0;
    }

    /** First says so: whoever ends an access that was broken off looks whether it has the lock. */
    @ForceInline
    private static boolean lock(long self, int me, long place, long access) {
        U.putLong(self + ACCESS, access);
        if (U.compareAndSetInt(null, place + LOCK, 0, me))
            return true;
        U.putLong(self + ACCESS, 0);
        return false;
    }

    @ForceInline
    private static void unlock(long place) {
        U.putIntRelease(null, place + LOCK, 0);
        if (FENCED)
            U.fullFence();
        if (U.getIntOpaque(null, place + SLEEPERS) != 0)
            DittoHooks.wakeLock(place);
    }

    /**
     * One more free event; inside the place's lock. The tail is all that counts it for the thread, and comes last: if the
     * stack ends in between, the access is abandoned, and the next event takes its place in the trace.
     */
    @ForceInline
    private static void count(long self, long word, int tail) {
        U.putLongRelease(null, word, (tail + 1L) << 32 | U.getInt(self + USED));
        U.putInt(self + TAIL, tail + 1);
    }

    @DontInline
    private static boolean recordLoad(long self, long place) {
        long word = U.getLong(self + WORD);
        int tail = U.getInt(self + TAIL);
        int me = U.getInt(self + REPLAY_ID) + 1;
        if (word == 0 || tail == LARGEST_TAIL || !lock(self, me, place, place))
            return false;
        long storeClock = U.getLong(place + STORE_CLOCK);
        if (!isKnown(self, me, U.getInt(place + STORER), storeClock) || isStopped()) {
            unlock(place);
            U.putLong(self + ACCESS, 0);
            return false;
        }
        count(self, word, tail);
        int loader = U.getInt(place + LOADER);
        if (loader != me)
            U.putInt(place + LOADER, loader == NOBODY ? me : MANY);
        long clock = U.getLong(self + CLOCK);
        if (clock < storeClock)
            U.putLong(self + CLOCK, clock = storeClock);
        if (U.getLong(place + LOAD_CLOCK) < clock)
            U.putLong(place + LOAD_CLOCK, clock);
        U.putLong(place + LOAD_COUNT, U.getLong(place + LOAD_COUNT) + 1);
        return true;
    }

    @DontInline
    private static boolean recordStore(long self, long place) {
        long word = U.getLong(self + WORD);
        int tail = U.getInt(self + TAIL);
        int me = U.getInt(self + REPLAY_ID) + 1;
        if (word == 0 || tail == LARGEST_TAIL || !lock(self, me, place, place | STORING))
            return false;
        if (noteStore(self, place, me, word, tail))
            return true;
        unlock(place);
        U.putLong(self + ACCESS, 0);
        return false;
    }

    /** A store, or an update that has stored: the place is locked, and the stream has room. */
    @ForceInline
    private static boolean noteStore(long self, long place, int me, long word, int tail) {
        long storeClock = U.getLong(place + STORE_CLOCK);
        long loadClock = U.getLong(place + LOAD_CLOCK);
        int loader = U.getInt(place + LOADER);
        // Loads are known if a later tick of the one thread that did them is.
        if (!isKnown(self, me, U.getInt(place + STORER), storeClock) || loader == MANY
                || !isKnown(self, me, loader, loadClock + 1) || isStopped())
            return false;
        count(self, word, tail);
        long clock = Math.max(Math.max(U.getLong(self + CLOCK), storeClock), loadClock) + 1;
        U.putLong(self + CLOCK, clock);
        U.putLong(place + STORE_CLOCK, clock);
        U.putLong(place + LOAD_COUNT, 0);
        U.putInt(place + STORER, me);
        U.putInt(place + LOADER, NOBODY);
        return true;
    }

    // Replaying

    @ForceInline
    private static boolean beginFree(long self, long access) {
        long run = U.getLong(self + RUN);
        if (run == 0)
            return false;
        U.putLong(self + RUN, run - 1);
        U.putLong(self + EVENTS, U.getLong(self + EVENTS) + 1);
        U.putLong(self + ACCESS, access);
        return true;
    }

    @DontInline
    private static void replayLoad(long self, long place) {
        long clock = Math.max(U.getLong(self + CLOCK), U.getLongAcquire(null, place + STORE_CLOCK));
        U.putLong(self + CLOCK, clock);
        long loadClock = U.getLong(place + LOAD_CLOCK);
        while (loadClock < clock && !U.compareAndSetLong(null, place + LOAD_CLOCK, loadClock, clock))
            loadClock = U.getLongOpaque(null, place + LOAD_CLOCK);
        U.getAndAddLong(null, place + LOAD_COUNT, 1);
        if (U.getIntVolatile(null, place + WAITERS) != 0)
            DittoHooks.wake(self, place);
    }

    @DontInline
    private static void replayStore(long self, long place) {
        long clock = Math.max(Math.max(U.getLong(self + CLOCK), U.getLong(place + STORE_CLOCK)),
                U.getLong(place + LOAD_CLOCK)) + 1;
        U.putLong(self + CLOCK, clock);
        U.putLong(place + LOAD_COUNT, 0);
        U.putLongVolatile(null, place + STORE_CLOCK, clock);
        if (U.getIntVolatile(null, place + WAITERS) != 0)
            DittoHooks.wake(self, place);
    }
}
