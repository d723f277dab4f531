// SPDX-License-Identifier: MIT
package java.lang;

import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;

/**
 * The shadow of an array. An object has a field for the number of its shadow; an array has none, so shadows of arrays are
 * found in a hash table by the array's identity. The table does not keep arrays alive: when one has died its shadow goes,
 * at the latest when the next array comes. Its references are phantom ones, as a finalizer may bring back an array that
 * weak ones have given up.
 *
 * <p>Readers take no lock, and may miss an entry that has just been put in, or not see yet what it refers to: then they
 * come to {@link #make}, which has the lock. What they find is right: an entry does not change, but for its array's
 * death, and then it matches nothing.
 */
final class DittoArray extends PhantomReference<Object> {
    private static final ReferenceQueue<Object> DEAD = new ReferenceQueue<>();

    private static final jdk.internal.misc.Unsafe U = jdk.internal.misc.Unsafe.getUnsafe();

    /** Where an object's header has its identity hash, when its lowest bits say that it has one; -1: not known. */
    private static final int HASH_SHIFT = findHash();
    private static final int STATE_MASK = 7, UNLOCKED = 1, HASH_MASK = 0x7fffffff;

    /** Its length is a power of 2, and at most half of it is in use, so a search always comes to an end. */
    private static volatile DittoArray[] table = new DittoArray[1024];
    private static int used;

    private final int hash;
    private final int shadow;

    private DittoArray(Object array, int hash, int shadow) {
        super(array, DEAD);
        this.hash = hash;
        this.shadow = shadow;
    }

    private static int findHash() {
        Object object = new Object();
        int hash = DittoHooks.identityHash(object), found = -1;
        long header = U.getLong(object, 0L);
        for (int shift = 0; shift < 64 - 31; shift++)
            if ((header >>> shift & HASH_MASK) == hash && (header & STATE_MASK) == UNLOCKED)
                found = shift;
        return found;
    }

    /** The identity hash, if there is one and it can be seen; else 0. */
    static int hashInHeader(Object object) {
        long header = U.getLong(object, 0L);
        return HASH_SHIFT >= 0 && (header & STATE_MASK) == UNLOCKED ? (int) (header >>> HASH_SHIFT) & HASH_MASK : 0;
    }

    /** System.identityHashCode is an input of the program, and slow. */
    private static int hashOf(Object object) {
        int hash = hashInHeader(object);
        return hash != 0 ? hash : DittoHooks.identityHash(object);
    }

    private static void put(DittoArray[] entries, DittoArray entry) {
        int mask = entries.length - 1, i = entry.hash & mask;
        while (entries[i] != null)
            i = i + 1 & mask;
        entries[i] = entry;
    }

    private static int find(DittoArray[] entries, Object array) {
        int mask = entries.length - 1;
        for (int i = hashOf(array) & mask;; i = i + 1 & mask) {
            DittoArray entry = entries[i];
            if (entry == null)
                return 0;
            if (entry.refersTo(array))
                return entry.shadow;
        }
    }

    /** The number of the array's shadow, made if there is none yet. */
    static int shadowOf(Object array) {
        int shadow = find(table, array);
        return shadow != 0 ? shadow : make(array);
    }

    /** Reference queues may lock with classes that are recorded. */
    private static int make(Object array) {
        DittoHooks.pause();
        try {
            return makeOne(array);
        } finally {
            DittoHooks.resume();
        }
    }

    private static synchronized int makeOne(Object array) {
        int shadow = find(table, array);
        if (shadow != 0)
            return shadow;
        release();
        if (used >= table.length / 2)
            rebuild();
        shadow = DittoHooks.newShadow(array);
        put(table, new DittoArray(array, hashOf(array), shadow));
        used++;
        return shadow;
    }

    private static void release() {
        for (Reference<?> dead = DEAD.poll(); dead != null; dead = DEAD.poll())
            DittoHooks.freeShadow(((DittoArray) dead).shadow);
    }

    /** Leaves the dead behind; twice as long if most are alive. */
    private static void rebuild() {
        int alive = 0;
        for (DittoArray entry : table)
            if (entry != null && !entry.refersTo(null))
                alive++;
        DittoArray[] fresh = new DittoArray[alive > table.length / 4 ? 2 * table.length : table.length];
        for (DittoArray entry : table)
            if (entry != null && !entry.refersTo(null))
                put(fresh, entry);
        used = alive;
        table = fresh;
    }
}
