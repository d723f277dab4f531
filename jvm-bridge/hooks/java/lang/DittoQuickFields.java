// SPDX-License-Identifier: MIT
package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * The quick events of the order {@code ditto}: core/orders/ditto/quick.h, line by line and with the same names.
 * Change both; tests/orders/quick tells whether they still agree.
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
final class DittoQuickFields {
    private static final Unsafe U = DittoQuick.U;

    private static final long ACCESS = DittoQuick.ACCESS;
    private static final long REPLAY_ID = DittoQuick.REPLAY_ID;
    private static final long CLOCK = DittoQuick.layout("thread.clock");
    private static final long MEMORY_EVENTS = DittoQuick.layout("thread.memory_events");
    private static final long WORD = DittoQuick.layout("thread.word");
    private static final long USED = DittoQuick.layout("thread.used");
    private static final long TAIL = DittoQuick.layout("thread.tail");
    private static final long RUN = DittoQuick.layout("thread.run");
    private static final long SEEN_THREAD = DittoQuick.layout("thread.seen_thread");
    private static final long SEEN_CLOCK = DittoQuick.layout("thread.seen_clock");
    private static final int SEEN_SIZE = (int) DittoQuick.layout("seen.size");
    private static final long STORE_CLOCK = DittoQuick.layout("place.store_clock");
    private static final long LOAD_CLOCK = DittoQuick.layout("place.load_clock");
    private static final long LOAD_COUNT = DittoQuick.layout("place.load_count");
    private static final long LOCK = DittoQuick.layout("place.lock");
    private static final long SLEEPERS = DittoQuick.layout("place.sleepers");
    private static final long WAITERS = DittoQuick.layout("place.waiters");
    private static final long STORER = DittoQuick.layout("place.storer");
    private static final long LOADER = DittoQuick.layout("place.loader");
    private static final boolean FENCED = DittoQuick.layout("lock.fenced") != 0;
    private static final long STOP_FLAG = DittoQuick.layout("session.stop_flag");

    private static final int NOBODY = 0;
    private static final int MANY = -1;
    private static final int LARGEST_TAIL = -1;
    private static final long STORING = DittoQuick.STORING;
    private static final long UPDATING = DittoQuick.UPDATING;

    private DittoQuickFields() {
    }

    // Recording

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
    static void unlock(long place) {
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
    static boolean recordLoad(long self, long place) {
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

    @DontInline
    static boolean recordStore(long self, long place) {
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

    /**
     * What the update was is seen at its end; whether it is recorded, now: once the recording has stopped, what it
     * finds may come from an event that is not in the trace.
     */
    @ForceInline
    static boolean recordUpdateBegin(long self, long place) {
        int me = U.getInt(self + REPLAY_ID) + 1;
        if (U.getLong(self + WORD) == 0 || U.getInt(self + TAIL) == LARGEST_TAIL
                || !lock(self, me, place, place | UPDATING | STORING))
            return false;
        if (!isStopped())
            return true;
        unlock(place);
        U.putLong(self + ACCESS, 0);
        return false;
    }

    /**
     * Of an update that has stored, and was begun here. Other accesses end by letting the lock go; all of them then are
     * no longer under way.
     */
    @ForceInline
    static boolean recordUpdateEnd(long self, long place) {
        if (!noteStore(self, place, U.getInt(self + REPLAY_ID) + 1, U.getLong(self + WORD), U.getInt(self + TAIL)))
            return false;
        unlock(place);
        return true;
    }

    // Replaying

    @ForceInline
    static boolean beginFree(long self, long access) {
        long run = U.getLong(self + RUN);
        if (run == 0)
            return false;
        U.putLong(self + RUN, run - 1);
        U.putLong(self + MEMORY_EVENTS, U.getLong(self + MEMORY_EVENTS) + 1);
        U.putLong(self + ACCESS, access);
        return true;
    }

    @DontInline
    static void replayLoad(long self, long place) {
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
    static void replayStore(long self, long place) {
        long clock = Math.max(Math.max(U.getLong(self + CLOCK), U.getLong(place + STORE_CLOCK)),
                U.getLong(place + LOAD_CLOCK)) + 1;
        U.putLong(self + CLOCK, clock);
        U.putLong(place + LOAD_COUNT, 0);
        U.putLongVolatile(null, place + STORE_CLOCK, clock);
        if (U.getIntVolatile(null, place + WAITERS) != 0)
            DittoHooks.wake(self, place);
    }
}
