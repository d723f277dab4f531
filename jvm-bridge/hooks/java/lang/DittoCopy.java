// SPDX-License-Identifier: MIT
package java.lang;

import jdk.internal.vm.annotation.DontInline;

/**
 * Copies of objects by Object.clone(), which loads every field of the original.
 *
 * <p>The JVM's copy is made first, and the recorded fields are then copied once more, one after the other, each inside
 * its own load event: what the copy has in the end is what these events have loaded. So whatever another thread stores
 * between the JVM's copy and an event, or between two events, is ordered with the event as it is with any load, in the
 * recording and in the replay; what the JVM has read is overwritten, and nobody else has the copy yet. That Object.clone()
 * itself is not atomic either makes this one of the runs that the program could have had without recording.
 *
 * <p>The copy's own fields need no events: before it is published nobody else can load them.
 */
final class DittoCopy {
    // What copied_fields.c has written: the number of fields, and for each of them three numbers.
    private static final int OFFSET = 0;
    private static final int PLACE = 8;
    private static final int SIZE = 16;
    private static final int ENTRY = 24;
    /** In place of a size. */
    private static final int REFERENCE = 0;

    private DittoCopy() {
    }

    @DontInline
    static void fields(long self, Object original, Object copy, int site) {
        int shadow = DittoHooks.shadowOf(original);
        long table = DittoHooks.copiedFields(shadow, original);
        long address = DittoHooks.addressOf(shadow);
        long entry = table + 8;
        for (long left = DittoQuick.U.getLong(table); left > 0; left--, entry += ENTRY) {
            DittoHooks.beginLoad(self, address + DittoQuick.U.getLong(entry + PLACE), site);
            copy(original, copy, DittoQuick.U.getLong(entry + OFFSET), (int) DittoQuick.U.getLong(entry + SIZE));
            DittoHooks.endLoad();
        }
    }

    private static void copy(Object from, Object to, long offset, int size) {
        switch (size) {
        case REFERENCE:
            DittoQuick.U.putReference(to, offset, DittoQuick.U.getReference(from, offset));
            break;
        case 1:
            DittoQuick.U.putByte(to, offset, DittoQuick.U.getByte(from, offset));
            break;
        case 2:
            DittoQuick.U.putShort(to, offset, DittoQuick.U.getShort(from, offset));
            break;
        case 4:
            DittoQuick.U.putInt(to, offset, DittoQuick.U.getInt(from, offset));
            break;
        default:
            DittoQuick.U.putLong(to, offset, DittoQuick.U.getLong(from, offset));
            break;
        }
    }
}
