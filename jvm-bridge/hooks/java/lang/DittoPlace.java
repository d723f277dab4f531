// SPDX-License-Identifier: MIT
package java.lang;

import java.lang.invoke.VarHandle;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * The places that Unsafe and VarHandle name: by an object and an offset, or by a handle and its coordinates. They are
 * those of plain accesses to the same field, static or element. An instance is what a site remembers of the last place
 * it came to: such code nearly always comes to the same field again.
 */
final class DittoPlace {
    // What a VarHandle stands for.
    private static final int FIELD = 0;
    private static final int STATIC = 1;
    private static final int ELEMENT = 2;
    /** Made of other handles, or of memory outside the heap: not recorded. */
    private static final int SOMETHING_ELSE = 3;

    private static final Unsafe U = Unsafe.getUnsafe();

    private static final long OBJECTS = DittoHooks.arrayBase(Object[].class);
    private static final int OBJECT_SIZE = U.arrayIndexScale(Object[].class);

    /** Of the field of a StringBuilder that stands for all of it. */
    static final long OF_BUILDER = U.objectFieldOffset(AbstractStringBuilder.class, "count");

    /** The lowest bit of a place says that it is a static's, and not one in the state of the object. */
    private static final long IS_STATIC = 1;

    /** By site. Replaced by longer ones; an entry that is lost on the way is made again. */
    private static volatile DittoPlace[] fields = new DittoPlace[1024];
    private static volatile DittoPlace[] handles = new DittoPlace[1024];

    /** The class of the object, or the class whose static it is; or a VarHandle. */
    private final Object key;
    private final long offset;
    /** From the object's shadow on; or a static's place; 0: there is no such field. */
    private final long place;
    /** Of a VarHandle. */
    private final int kind;

    private DittoPlace(Object key, long offset, long place, int kind) {
        this.key = key;
        this.offset = offset;
        this.place = place;
        this.kind = kind;
    }

    /** The entries, or longer ones, with this one at the site. */
    private static DittoPlace[] with(DittoPlace[] entries, int site, DittoPlace entry) {
        DittoPlace[] result = entries;
        if (site >= entries.length) {
            result = new DittoPlace[Math.max(site + 1, 2 * entries.length)];
            System.arraycopy(entries, 0, result, 0, entries.length);
        }
        result[site] = entry;
        return result;
    }

    // Objects and offsets

    /** The place at an offset in an object, an array or a class; 0: it is none that is recorded. */
    @ForceInline
    static long at(Object base, long offset, int site) {
        Class<?> type = base.getClass();
        if (type.isArray())
            return element(base, index(base, type, offset));
        Object key = type == Class.class ? base : type;
        DittoPlace[] entries = fields;
        DittoPlace entry = site < entries.length ? entries[site] : null;
        if (entry == null || entry.key != key || entry.offset != offset)
            entry = remember(base, key, offset, site);
        long place = entry.place;
        if ((place & IS_STATIC) != 0)
            return place - IS_STATIC;
        if (place == 0)
            return 0;
        return DittoHooks.addressOf(DittoHooks.shadowOf(base)) + place;
    }

    @DontInline
    private static DittoPlace remember(Object base, Object key, long offset, int site) {
        int shadow = DittoHooks.shadowOf(base);
        long place = DittoHooks.fieldPlace(base, shadow, offset);
        if (place != 0 && (place & IS_STATIC) == 0)
            place -= DittoHooks.addressOf(shadow);
        DittoPlace entry = new DittoPlace(key, offset, place, FIELD);
        fields = with(fields, site, entry);
        return entry;
    }

    private static int index(Object array, Class<?> type, long offset) {
        return array instanceof Object[] ? (int) ((offset - OBJECTS) / OBJECT_SIZE)
                : (int) ((offset - DittoHooks.arrayBase(type)) / U.arrayIndexScale(type));
    }

    /** The place of an array's element; 0: it has no such element. */
    @ForceInline
    static long element(Object array, int index) {
        int length = Array.getLength(array);
        if (Integer.compareUnsigned(index, length) >= 0)
            return 0;
        int shadow = DittoArray.shadowOf(array);
        long place = DittoHooks.elementPlace(shadow, index);
        return place != 0 ? place : DittoHooks.firstElementPlace(shadow, length, index);
    }

    /** The agent's: where the JVM keeps a field. */
    static long offsetOf(Field field) {
        return Modifier.isStatic(field.getModifiers()) ? U.staticFieldOffset(field) : U.objectFieldOffset(field);
    }

    // VarHandles

    /** The place that a handle names, with its first coordinate and, if that is an array, the index. */
    @ForceInline
    static long of(VarHandle handle, Object first, int index, int site) {
        if (handle == null)
            return 0;
        DittoPlace[] entries = handles;
        DittoPlace entry = site < entries.length ? entries[site] : null;
        if (entry == null || entry.key != handle)
            entry = remember(handle, site);
        switch (entry.kind) {
        case FIELD:
            return first == null ? 0 : at(first, entry.offset, site);
        case STATIC:
            return entry.place;
        case ELEMENT:
            return first == null || !first.getClass().isArray() ? 0 : element(first, index);
        default:
            return 0;
        }
    }

    @DontInline
    private static DittoPlace remember(VarHandle handle, int site) {
        DittoPlace entry = describe(handle, handle, site);
        handles = with(handles, site, entry);
        return entry;
    }

    private static long offset(Object handle, Class<?> type) {
        return U.getLong(handle, U.objectFieldOffset(type, "fieldOffset"));
    }

    /** By the classes of java.lang.invoke: VarHandleInts.FieldInstanceReadWrite and the like. */
    private static DittoPlace describe(VarHandle key, Object handle, int site) {
        Class<?> type = handle.getClass();
        String name = type.getName();
        if (name.equals("java.lang.invoke.LazyInitializingVarHandle")) {
            // It would run the initializer in the middle of the access.
            U.ensureClassInitialized((Class<?>) U.getReference(handle, U.objectFieldOffset(type, "refc")));
            return describe(key, U.getReference(handle, U.objectFieldOffset(type, "target")), site);
        }
        if (name.endsWith("ReadWrite")) {
            type = type.getSuperclass();
            name = type.getName();
        }
        if (name.endsWith("$FieldInstanceReadOnly"))
            return new DittoPlace(key, offset(handle, type), 0, FIELD);
        if (name.endsWith("$FieldStaticReadOnly")) {
            Object base = U.getReference(handle, U.objectFieldOffset(type, "base"));
            return new DittoPlace(key, 0, at(base, offset(handle, type), site), STATIC);
        }
        boolean element = name.endsWith("$Array") || name.endsWith("$ArrayHandle");
        return new DittoPlace(key, 0, 0, element ? ELEMENT : SOMETHING_ELSE);
    }
}
