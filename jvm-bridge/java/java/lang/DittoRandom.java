// SPDX-License-Identifier: MIT
package java.lang;

import jdk.internal.misc.Unsafe;

/**
 * What a thread keeps for ThreadLocalRandom, and for the tables and locks that spread threads by it: its seed, its probe
 * and its secondary seed, on which the levels of a skip list depend. A thread that has none draws them from counters that
 * all threads share.
 *
 * <p>Recorded code must find them as it left them, and the counters as well. What is not recorded, in a pause or in a
 * muted call, may use them more often in a replay than it did in the recording, or less: it is lent others. In a muted
 * call code of the program may run, which must not see the same random numbers twice: there the seed stays what it is,
 * and a thread that has no probe, and so no seed, gets its own.
 */
final class DittoRandom {
    private static final Unsafe U = Unsafe.getUnsafe();
    private static final long SEED = U.objectFieldOffset(Thread.class, "threadLocalRandomSeed");
    private static final long PROBE = U.objectFieldOffset(Thread.class, "threadLocalRandomProbe");
    private static final long SECONDARY = U.objectFieldOffset(Thread.class, "threadLocalRandomSecondarySeed");
    private static final long KEPT_SEED = U.objectFieldOffset(Thread.class, "$dittoSeed");
    private static final long KEPT_PROBE = U.objectFieldOffset(Thread.class, "$dittoProbe");
    private static final long KEPT_SECONDARY = U.objectFieldOffset(Thread.class, "$dittoSecondary");
    private static final long KEPT = U.objectFieldOffset(Thread.class, "$dittoKept");

    // What is kept.
    private static final int SPREAD = 1;
    private static final int ALL = 2;

    private DittoRandom() {
    }

    /** Before the calling thread does what is not recorded. It may be lent any number but 0, which stands for none. */
    static void keep(Thread thread, boolean seed) {
        int probe = U.getInt(thread, PROBE);
        U.putLong(thread, KEPT_SEED, U.getLong(thread, SEED));
        U.putInt(thread, KEPT_PROBE, probe);
        U.putInt(thread, KEPT_SECONDARY, U.getInt(thread, SECONDARY));
        U.putInt(thread, KEPT, seed ? ALL : SPREAD);
        if (seed || probe != 0)
            U.putInt(thread, PROBE, 1);
        U.putInt(thread, SECONDARY, 1);
    }

    static void giveBack(Thread thread) {
        int probe = U.getInt(thread, KEPT_PROBE);
        boolean all = U.getInt(thread, KEPT) == ALL;
        if (all)
            U.putLong(thread, SEED, U.getLong(thread, KEPT_SEED));
        if (all || probe != 0)
            U.putInt(thread, PROBE, probe);
        U.putInt(thread, SECONDARY, U.getInt(thread, KEPT_SECONDARY));
    }
}
