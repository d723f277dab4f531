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
 * call code of the program may run, which must not see the same random numbers twice: there the seed is not put back, and
 * a thread that has none yet is lent one that no other has.
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

    /** Between the seeds that are lent: odd, and not near the steps of ThreadLocalRandom itself. */
    private static final long APART = 0x5851f42d4c957f2dL;

    private DittoRandom() {
    }

    /** Before the calling thread does what is not recorded. It may be lent any number but 0, which stands for none. */
    static void keep(Thread thread, long self, boolean paused) {
        int probe = U.getInt(thread, PROBE);
        long seed = U.getLong(thread, SEED);
        U.putLong(thread, KEPT_SEED, seed);
        U.putInt(thread, KEPT_PROBE, probe);
        U.putInt(thread, KEPT_SECONDARY, U.getInt(thread, SECONDARY));
        U.putInt(thread, KEPT, paused ? ALL : SPREAD);
        U.putInt(thread, PROBE, 1);
        U.putInt(thread, SECONDARY, 1);
        if (seed == 0)
            U.putLong(thread, SEED, (U.getInt(self + DittoQuick.REPLAY_ID) + 1) * APART);
    }

    static void giveBack(Thread thread) {
        if (U.getInt(thread, KEPT) == ALL)
            U.putLong(thread, SEED, U.getLong(thread, KEPT_SEED));
        U.putInt(thread, PROBE, U.getInt(thread, KEPT_PROBE));
        U.putInt(thread, SECONDARY, U.getInt(thread, KEPT_SECONDARY));
    }
}
