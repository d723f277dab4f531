// SPDX-License-Identifier: MIT
package java.lang;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Member;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import jdk.internal.reflect.Reflection;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Stable;

/**
 * What rewritten classes call. The agent defines this class in java.base, from bytes that it carries, and registers the
 * native methods; natives.c has them. What stands in for a method of the JDK is written in Java, so that its exceptions
 * are those of the JDK.
 *
 * <p>The hooks around accesses look first whether the event is one that {@link DittoOrder} can do by itself; what may
 * have to wait is native, because a thread that waits for its turn in a replay must not keep the collector from running.
 * In between the program makes its access. If that throws, or a hook runs out of stack, {@link #abandon} ends what has
 * begun.
 *
 * <p>Calls on threads that the engine does not know do what the original does.
 */
public final class DittoHooks {
    // The kinds of inputs; inputs.h has all.
    private static final int WAIT = 2;
    private static final int SLEEP = 3;
    private static final int JOIN = 4;
    private static final int IS_ALIVE = 5;
    private static final int IS_INTERRUPTED = 6;
    private static final int INTERRUPTED = 7;
    private static final int PARK = 9;
    private static final int SEED = 41;
    private static final int SECURE_RANDOM = 42;
    private static final int THREAD_ID = 43;
    private static final int THREAD_NUMBER = 44;

    // How a wait, sleep or join ended.
    private static final int DONE = 0;
    private static final int WAS_INTERRUPTED = 1;
    private static final int TIMED_OUT = 2;
    private static final int NOT_STARTED = 3;

    // Recorded classes of the JDK call this class from the first instruction of the JVM on, before classes such as Unsafe
    // may be initialized: so its own initializer touches none. What a known thread needs is in DittoOrder.

    /** By site: nothing there can initialize a class out of turn any more. Guarded by its own replacement. */
    private static volatile boolean[] settled = new boolean[1024];

    /** The native methods are there, and threads may be known. While it is false hooks must be quick: the JVM starts. */
    @Stable
    static boolean begun;

    private DittoHooks() {
    }

    /** The agent's, when the program is about to begin. */
    private static void begin() {
        register();
        begun = true;
        // The agent's own fields, which a program that looks at all fields of its objects must not see.
        Reflection.registerFieldsToFilter(Object.class, Set.of("$ditto"));
        Reflection.registerFieldsToFilter(Thread.class, Set.of("$dittoThread"));
    }

    /** The agent's, to look at a class before it is loaded; null if there is none. */
    private static byte[] classFile(ClassLoader loader, String resource) {
        pause();
        try {
            return bytesOf(loader, resource);
        } finally {
            resume();
        }
    }

    private static byte[] bytesOf(ClassLoader loader, String resource) {
        try (java.io.InputStream stream = loader.getResourceAsStream(resource)) {
            return stream == null ? null : stream.readAllBytes();
        } catch (java.io.IOException e) {
            return null;
        }
    }

    /**
     * Registers all other native methods, and those of the JDK that the agent takes over. The JVM finds this one by its
     * name; it would print a warning on stdout if code that no class of java.base has called did the registering.
     */
    private static native void register();

    static native boolean isReplay();

    /** Whether the engine knows the calling thread, and records what it does. */
    @ForceInline
    static boolean isKnown() {
        return self() > 0;
    }

    /** An input: answers the value, or in a replay the recorded one. */
    static long input(int kind, long value) {
        return isKnown() ? inputOf(kind, value) : value;
    }

    private static native long inputOf(int kind, long value);

    /** The same, unless the JDK asks for itself. */
    private static long programInput(int kind, long value) {
        return isKnown() ? programInputOf(kind, value) : value;
    }

    private static native long programInputOf(int kind, long value);

    /** Once for each thread: whether its seed of ThreadLocalRandom is an input now. */
    private static native boolean needsSeed();

    /** An input: in a replay the bytes become the recorded ones. */
    static void inputBytes(int kind, byte[] bytes) {
        if (isKnown())
            inputBytesOf(kind, bytes);
    }

    private static native void inputBytesOf(int kind, byte[] bytes);

    /** Recording: notes a property of the trace. Replaying: answers the recorded value, or null. */
    private static native String setting(String name, String value);

    /** What System.identityHashCode answers where there is no recording. */
    static native int identityHash(Object object);

    /** The numbers of core/quick.h, and at the end 1 if there are quick events. */
    static native long[] quick();

    /** Refuses to go on if objects cannot have the number at that offset. */
    static native long things(long numberOffset);

    static native long thingSize();

    /** The address of what the first site's hooks have to know; see struct ditto_site_info. */
    static native long sites();

    static native long siteSize();

    /** A thing for an object, which gets its number, or for an array. */
    static native int newThing(Object object);

    /** That of an array that has died. */
    static native void freeThing(int thing);

    /** The slow ends of quick events. */
    static native void wakeLock(long place);

    static native void wake(long self, long place);

    /** The engine's handle of the calling thread; 0 or less: nothing of what it does now is recorded. */
    @ForceInline
    static long self() {
        return begun ? DittoOrder.U.getLong(Thread.currentThread(), DittoOrder.HANDLE) : 0;
    }

    // Pauses. What a hook itself has the JDK do, in a recording alone, is not recorded. Nor is what the JVM has done by
    // whichever thread needs it first, loading classes, linking call sites, initializing classes of the JDK: a replay
    // could not repeat it in the same thread, and need not.

    /**
     * From now on, until resume(), the calling thread is one that the engine does not know. Pauses nest. A thread that has
     * no probe for hash tables yet is lent one: it would draw one from a counter that recorded code draws from, too.
     */
    public static void pause() {
        if (!begun)
            return;
        Thread thread = Thread.currentThread();
        long handle = DittoOrder.U.getLong(thread, DittoOrder.HANDLE);
        if (handle > 0) {
            boolean lent = DittoOrder.U.getInt(thread, DittoOrder.PROBE) == 0;
            setPaused(true);
            DittoOrder.U.putLong(thread, DittoOrder.HANDLE, lent ? -3 : -2);
            if (lent)
                DittoOrder.U.putInt(thread, DittoOrder.PROBE, 1);
        } else if (handle < 0) {
            DittoOrder.U.putLong(thread, DittoOrder.HANDLE, handle - 2);
        }
    }

    public static void resume() {
        if (!begun)
            return;
        Thread thread = Thread.currentThread();
        long handle = DittoOrder.U.getLong(thread, DittoOrder.HANDLE);
        if (handle < -3) {
            DittoOrder.U.putLong(thread, DittoOrder.HANDLE, handle + 2);
        } else if (handle < 0) {
            if (handle == -3)
                DittoOrder.U.putInt(thread, DittoOrder.PROBE, 0);
            DittoOrder.U.putLong(thread, DittoOrder.HANDLE, setPaused(false));
        }
    }

    /** Answers the thread's handle. */
    private static native long setPaused(boolean paused);

    /**
     * On entry to a method of the program that the JDK calls, perhaps in a pause: a class initializer, a method of a class
     * loader, a bootstrap method. What the program does is recorded, whoever calls it.
     */
    public static void enterProgram() {
        if (!begun)
            return;
        Thread thread = Thread.currentThread();
        long handle = DittoOrder.U.getLong(thread, DittoOrder.HANDLE);
        if (handle == 0)
            return;
        if (handle < 0 && (handle & 1) != 0)
            DittoOrder.U.putInt(thread, DittoOrder.PROBE, 0);
        DittoOrder.U.putLong(thread, DittoOrder.HANDLE, leavePauses(handle));
    }

    /** On every way out of it. */
    public static void leaveProgram() {
        if (!begun)
            return;
        Thread thread = Thread.currentThread();
        long pauses = DittoOrder.U.getLong(thread, DittoOrder.HANDLE) == 0 ? 0 : enterPauses();
        if (pauses >= 0)
            return;
        // The probe that was lent, unless the thread has got one of its own.
        if ((pauses & 1) != 0 && DittoOrder.U.getInt(thread, DittoOrder.PROBE) != 0)
            pauses++;
        else if ((pauses & 1) != 0)
            DittoOrder.U.putInt(thread, DittoOrder.PROBE, 1);
        DittoOrder.U.putLong(thread, DittoOrder.HANDLE, pauses);
    }

    /** Notes how often the thread has paused, and has it known again; its handle. */
    private static native long leavePauses(long handle);

    /** The latest such note. If it is one of pauses, the thread has paused again. */
    private static native long enterPauses();

    // Muted calls: those of recorded classes of the JDK by other classes of the JDK, which use them for what is their own.
    // DittoLibrary does not record what is done in them, nor are the hash codes inputs that it asks its keys for.

    public static void mute() {
        long self = self();
        if (self > 0)
            DittoOrder.U.putInt(self + DittoOrder.MUTED, DittoOrder.U.getInt(self + DittoOrder.MUTED) + 1);
    }

    public static void unmute() {
        long self = self();
        if (self > 0)
            DittoOrder.U.putInt(self + DittoOrder.MUTED, DittoOrder.U.getInt(self + DittoOrder.MUTED) - 1);
    }

    @ForceInline
    static boolean isMuted() {
        long self = self();
        return self > 0 && DittoOrder.U.getInt(self + DittoOrder.MUTED) != 0;
    }

    /** The number of the object's thing, made if there is none yet. */
    static int thingOf(Object object) {
        if (object.getClass().isArray())
            return DittoArray.thingOf(object);
        int thing = DittoOrder.U.getInt(object, DittoOrder.THING);
        return thing != 0 ? thing : newThing(object);
    }

    @ForceInline
    static long stateOf(int thing) {
        return DittoOrder.U.getLong(DittoOrder.THINGS + DittoOrder.THING_SIZE * thing);
    }

    /** Of a field's site: where its place is in the state of an object; of a static's: its place; 0: not known yet. */
    @ForceInline
    private static long placeAt(int site) {
        return DittoOrder.U.getLong(DittoOrder.SITES + DittoOrder.SITE_SIZE * site);
    }

    /** The place of an object's field; 0: it is not known yet. */
    @ForceInline
    private static long fieldPlace(Object object, int site) {
        long offset = placeAt(site);
        int thing = DittoOrder.U.getInt(object, DittoOrder.THING);
        if (offset == 0 || thing == 0)
            return 0;
        long state = stateOf(thing);
        return state == 0 ? 0 : state + offset;
    }

    @ForceInline
    static long elementPlace(int thing, int index) {
        long state = stateOf(thing);
        if (state == 0)
            return 0;
        long reciprocal = DittoOrder.U.getLong(state + DittoOrder.RECIPROCAL);
        long number = reciprocal == 0 ? index : Math.multiplyHigh(2L * index, reciprocal);
        return state + DittoOrder.FIRST_PLACE + number * DittoOrder.PLACE_SIZE;
    }

    /** Whether the event can be quick: its place is known, and no access was left behind. */
    @ForceInline
    private static boolean isQuick(long self, long place) {
        return DittoOrder.QUICK && place != 0 && DittoOrder.U.getLong(self + DittoOrder.ACCESS) == 0;
    }

    @ForceInline
    public static void beforeLoad(Object object, int site) {
        long self = self();
        if (self <= 0 || object == null)
            return;
        long place = fieldPlace(object, site);
        if (!isQuick(self, place) || !DittoOrder.beginLoad(self, place))
            loadField(object, site);
    }

    @ForceInline
    public static void beforeStore(Object object, int site) {
        long self = self();
        if (self <= 0 || object == null)
            return;
        long place = fieldPlace(object, site);
        if (!isQuick(self, place) || !DittoOrder.beginStore(self, place))
            storeField(object, site);
    }

    @ForceInline
    public static void beforeStaticLoad(int site) {
        long self = self();
        if (self <= 0)
            return;
        long place = placeAt(site);
        if (!isQuick(self, place) || !DittoOrder.beginLoad(self, place))
            loadStatic(site);
    }

    @ForceInline
    public static void beforeStaticStore(int site) {
        long self = self();
        if (self <= 0)
            return;
        long place = placeAt(site);
        if (!isQuick(self, place) || !DittoOrder.beginStore(self, place))
            storeStatic(site);
    }

    @ForceInline
    public static void beforeArrayLoad(Object array, int index, int site) {
        long self = self();
        if (self <= 0 || array == null)
            return;
        int length = Array.getLength(array);
        if (Integer.compareUnsigned(index, length) >= 0)
            return;
        int thing = DittoArray.thingOf(array);
        long place = elementPlace(thing, index);
        if (!isQuick(self, place) || !DittoOrder.beginLoad(self, place))
            loadElement(thing, array, length, index, site);
    }

    @ForceInline
    public static void beforeArrayStore(Object array, int index, int site) {
        long self = self();
        if (self <= 0 || array == null)
            return;
        int length = Array.getLength(array);
        if (Integer.compareUnsigned(index, length) >= 0)
            return;
        int thing = DittoArray.thingOf(array);
        long place = elementPlace(thing, index);
        if (!isQuick(self, place) || !DittoOrder.beginStore(self, place))
            storeElement(thing, array, length, index, site);
    }

    @DontInline
    private static void loadField(Object object, int site) {
        beginFieldLoad(thingOf(object), object, site);
    }

    @DontInline
    private static void storeField(Object object, int site) {
        beginFieldStore(thingOf(object), object, site);
    }

    private static native void beginFieldLoad(int thing, Object object, int site);

    private static native void beginFieldStore(int thing, Object object, int site);

    private static native void loadStatic(int site);

    private static native void storeStatic(int site);

    private static native void loadElement(int thing, Object array, int length, int index, int site);

    private static native void storeElement(int thing, Object array, int length, int index, int site);

    @ForceInline
    private static void endLoad() {
        long self = self(), access = self <= 0 ? 0 : DittoOrder.U.getLong(self + DittoOrder.ACCESS);
        if (access == 0)
            return;
        if (DittoOrder.QUICK)
            DittoOrder.endLoad(self, access);
        else
            endAccess();
    }

    @ForceInline
    private static void endStore() {
        long self = self(), access = self <= 0 ? 0 : DittoOrder.U.getLong(self + DittoOrder.ACCESS);
        if (access == 0)
            return;
        if (DittoOrder.QUICK)
            DittoOrder.endStore(self, access);
        else
            endAccess();
    }

    private static native void endAccess();

    @ForceInline
    public static void afterLoad(int site) {
        endLoad();
    }

    @ForceInline
    public static void afterStore(int site) {
        endStore();
    }

    @ForceInline
    public static void afterStaticLoad(int site) {
        endLoad();
    }

    @ForceInline
    public static void afterStaticStore(int site) {
        endStore();
    }

    @ForceInline
    public static void afterArrayLoad(int site) {
        endLoad();
    }

    @ForceInline
    public static void afterArrayStore(int site) {
        endStore();
    }

    // Unsafe and VarHandle. The code between before and after is in a method that the rewriter adds to the class.

    @ForceInline
    private static void beginLoad(long self, long place, int site) {
        if (place != 0 && (!isQuick(self, place) || !DittoOrder.beginLoad(self, place)))
            loadPlace(place, site);
    }

    @ForceInline
    private static void beginStore(long self, long place, int site) {
        if (place != 0 && (!isQuick(self, place) || !DittoOrder.beginStore(self, place)))
            storePlace(place, site);
    }

    @ForceInline
    private static void beginUpdate(long self, long place, int site) {
        if (place != 0 && (!isQuick(self, place) || !DittoOrder.beginUpdate(self, place)))
            updatePlace(place, site);
    }

    @ForceInline
    public static void beforeRawLoad(Object base, long offset, int site) {
        long self = self();
        if (self > 0 && base != null)
            beginLoad(self, DittoPlace.at(base, offset, site), site);
    }

    @ForceInline
    public static void beforeRawStore(Object base, long offset, int site) {
        long self = self();
        if (self > 0 && base != null)
            beginStore(self, DittoPlace.at(base, offset, site), site);
    }

    @ForceInline
    public static void beforeRawUpdate(Object base, long offset, int site) {
        long self = self();
        if (self > 0 && base != null)
            beginUpdate(self, DittoPlace.at(base, offset, site), site);
    }

    @ForceInline
    public static void beforeVarLoad(VarHandle handle, Object first, int index, int site) {
        long self = self();
        if (self > 0)
            beginLoad(self, DittoPlace.of(handle, first, index, site), site);
    }

    @ForceInline
    public static void beforeVarStore(VarHandle handle, Object first, int index, int site) {
        long self = self();
        if (self > 0)
            beginStore(self, DittoPlace.of(handle, first, index, site), site);
    }

    @ForceInline
    public static void beforeVarUpdate(VarHandle handle, Object first, int index, int site) {
        long self = self();
        if (self > 0)
            beginUpdate(self, DittoPlace.of(handle, first, index, site), site);
    }

    /** A compare-and-set is done. */
    @ForceInline
    public static void afterUpdate(boolean stored, int site) {
        long self = self(), access = self <= 0 ? 0 : DittoOrder.U.getLong(self + DittoOrder.ACCESS);
        if (access != 0 && !(DittoOrder.QUICK && DittoOrder.endUpdate(self, access, stored)))
            endUpdate(access & ~3L, stored);
    }

    private static native void loadPlace(long place, int site);

    private static native void storePlace(long place, int site);

    private static native void updatePlace(long place, int site);

    private static native void endUpdate(long place, boolean stored);

    /** The place of the field at an offset of the object; of a class also of its statics, plus 1; 0: there is none. */
    static native long fieldPlace(Object object, int thing, long offset);

    static native long firstElementPlace(int thing, int length, int index);

    /** The offset of the first element. */
    static native long arrayBase(Class<?> array);

    // Whether a compare-and-exchange has found what it expected.

    @ForceInline
    public static boolean isSame(Object found, Object expected) {
        return found == expected;
    }

    @ForceInline
    public static boolean isSame(int found, int expected) {
        return found == expected;
    }

    @ForceInline
    public static boolean isSame(long found, long expected) {
        return found == expected;
    }

    @ForceInline
    public static boolean isSame(float found, float expected) {
        return Float.floatToRawIntBits(found) == Float.floatToRawIntBits(expected);
    }

    @ForceInline
    public static boolean isSame(double found, double expected) {
        return Double.doubleToRawLongBits(found) == Double.doubleToRawLongBits(expected);
    }

    // Copies of arrays

    /** One past the last element, before `end`, that shares the element's place. */
    private static int groupEnd(int thing, int index, int end) {
        int stride = (int) DittoOrder.U.getLong(stateOf(thing) + DittoOrder.STRIDE);
        return (int) Math.min(end, ((long) index / stride + 1) * stride);
    }

    /** Copies elements to a private array, each with its load. */
    private static void loadElements(long self, Object from, int start, Object to, int toStart, int length, int site) {
        int thing = DittoArray.thingOf(from);
        for (int i = start, end = start + length, next; i < end; i = next) {
            long place = DittoPlace.element(from, i);
            next = groupEnd(thing, i, end);
            beginLoad(self, place, site);
            System.arraycopy(from, i, to, toStart + i - start, next - i);
            endLoad();
        }
    }

    private static void storeElements(long self, Object from, Object to, int start, int length, int site) {
        int thing = DittoArray.thingOf(to);
        for (int i = start, end = start + length, next; i < end; i = next) {
            long place = DittoPlace.element(to, i);
            next = groupEnd(thing, i, end);
            beginStore(self, place, site);
            try {
                System.arraycopy(from, i - start, to, i, next - i);
            } finally {
                endStore();
            }
        }
    }

    private static boolean isRange(Object array, int start, int length) {
        return start >= 0 && length >= 0 && start <= Array.getLength(array) - length;
    }

    /** Instead of System.arraycopy. */
    public static void arraycopy(Object from, int fromStart, Object to, int toStart, int length, int site) {
        long self = self();
        if (self <= 0 || isMuted() || length == 0 || from == null || to == null || !from.getClass().isArray()
                || !to.getClass().isArray() || !isRange(from, fromStart, length) || !isRange(to, toStart, length)
                || from instanceof Object[] != to instanceof Object[]
                || !(from instanceof Object[]) && from.getClass() != to.getClass()) {
            System.arraycopy(from, fromStart, to, toStart, length);
            return;
        }
        Object copy = Array.newInstance(from.getClass().getComponentType(), length);
        loadElements(self, from, fromStart, copy, 0, length, site);
        storeElements(self, copy, to, toStart, length, site);
    }

    /** Instead of clone() of an array. */
    public static Object cloneArray(Object array, int site) {
        long self = self();
        int length = Array.getLength(array);
        Object copy = Array.newInstance(array.getClass().getComponentType(), length);
        if (self <= 0 || isMuted())
            System.arraycopy(array, 0, copy, 0, length);
        else
            loadElements(self, array, 0, copy, 0, length, site);
        return copy;
    }

    // Instead of methods of java.util.Arrays. That class is not recorded: java.lang uses it for what is its own.

    /** A copy of the array's elements, of which there are enough, in an array of that type. */
    private static Object copyRange(Object array, int from, int length, Class<?> type, int site) {
        Object copy = Array.newInstance(type.getComponentType(), length);
        loadElements(self(), array, from, copy, 0, Math.min(length, Array.getLength(array) - from), site);
        return copy;
    }

    /** Whether to make the copy here; otherwise the original does it, or says what is wrong. */
    private static boolean copies(int arrayLength, int from, int to) {
        return isKnown() && !isMuted() && from >= 0 && from <= arrayLength && to >= from;
    }

    public static Object[] copyOf(Object[] array, int length, Class<? extends Object[]> type, int site) {
        return copies(array.length, 0, length) ? (Object[]) copyRange(array, 0, length, type, site)
                : Arrays.copyOf(array, length, type);
    }

    public static Object[] copyOfRange(Object[] array, int from, int to, Class<? extends Object[]> type, int site) {
        return copies(array.length, from, to) ? (Object[]) copyRange(array, from, to - from, type, site)
                : Arrays.copyOfRange(array, from, to, type);
    }

    public static Object[] copyOf(Object[] array, int length, int site) {
        return copies(array.length, 0, length) ? (Object[]) copyRange(array, 0, length, array.getClass(), site)
                : Arrays.copyOf(array, length);
    }

    public static Object[] copyOfRange(Object[] array, int from, int to, int site) {
        return copies(array.length, from, to) ? (Object[]) copyRange(array, from, to - from, array.getClass(), site)
                : Arrays.copyOfRange(array, from, to);
    }

    public static byte[] copyOf(byte[] array, int length, int site) {
        return copies(array.length, 0, length) ? (byte[]) copyRange(array, 0, length, array.getClass(), site)
                : Arrays.copyOf(array, length);
    }

    public static byte[] copyOfRange(byte[] array, int from, int to, int site) {
        return copies(array.length, from, to) ? (byte[]) copyRange(array, from, to - from, array.getClass(), site)
                : Arrays.copyOfRange(array, from, to);
    }

    public static short[] copyOf(short[] array, int length, int site) {
        return copies(array.length, 0, length) ? (short[]) copyRange(array, 0, length, array.getClass(), site)
                : Arrays.copyOf(array, length);
    }

    public static short[] copyOfRange(short[] array, int from, int to, int site) {
        return copies(array.length, from, to) ? (short[]) copyRange(array, from, to - from, array.getClass(), site)
                : Arrays.copyOfRange(array, from, to);
    }

    public static int[] copyOf(int[] array, int length, int site) {
        return copies(array.length, 0, length) ? (int[]) copyRange(array, 0, length, array.getClass(), site)
                : Arrays.copyOf(array, length);
    }

    public static int[] copyOfRange(int[] array, int from, int to, int site) {
        return copies(array.length, from, to) ? (int[]) copyRange(array, from, to - from, array.getClass(), site)
                : Arrays.copyOfRange(array, from, to);
    }

    public static long[] copyOf(long[] array, int length, int site) {
        return copies(array.length, 0, length) ? (long[]) copyRange(array, 0, length, array.getClass(), site)
                : Arrays.copyOf(array, length);
    }

    public static long[] copyOfRange(long[] array, int from, int to, int site) {
        return copies(array.length, from, to) ? (long[]) copyRange(array, from, to - from, array.getClass(), site)
                : Arrays.copyOfRange(array, from, to);
    }

    public static char[] copyOf(char[] array, int length, int site) {
        return copies(array.length, 0, length) ? (char[]) copyRange(array, 0, length, array.getClass(), site)
                : Arrays.copyOf(array, length);
    }

    public static char[] copyOfRange(char[] array, int from, int to, int site) {
        return copies(array.length, from, to) ? (char[]) copyRange(array, from, to - from, array.getClass(), site)
                : Arrays.copyOfRange(array, from, to);
    }

    public static float[] copyOf(float[] array, int length, int site) {
        return copies(array.length, 0, length) ? (float[]) copyRange(array, 0, length, array.getClass(), site)
                : Arrays.copyOf(array, length);
    }

    public static float[] copyOfRange(float[] array, int from, int to, int site) {
        return copies(array.length, from, to) ? (float[]) copyRange(array, from, to - from, array.getClass(), site)
                : Arrays.copyOfRange(array, from, to);
    }

    public static double[] copyOf(double[] array, int length, int site) {
        return copies(array.length, 0, length) ? (double[]) copyRange(array, 0, length, array.getClass(), site)
                : Arrays.copyOf(array, length);
    }

    public static double[] copyOfRange(double[] array, int from, int to, int site) {
        return copies(array.length, from, to) ? (double[]) copyRange(array, from, to - from, array.getClass(), site)
                : Arrays.copyOfRange(array, from, to);
    }

    public static boolean[] copyOf(boolean[] array, int length, int site) {
        return copies(array.length, 0, length) ? (boolean[]) copyRange(array, 0, length, array.getClass(), site)
                : Arrays.copyOf(array, length);
    }

    public static boolean[] copyOfRange(boolean[] array, int from, int to, int site) {
        return copies(array.length, from, to) ? (boolean[]) copyRange(array, from, to - from, array.getClass(), site)
                : Arrays.copyOfRange(array, from, to);
    }

    // Hash codes

    /**
     * That of a key in a hash table. The JDK has tables of classes and of enum constants that are filled while nothing is
     * recorded: these keys get hash codes that are the same in every run.
     */
    public static int hashOf(Object key) {
        if (key instanceof Class)
            return ((Class<?>) key).getName().hashCode();
        if (key instanceof Enum)
            return ((Enum<?>) key).name().hashCode();
        return key.hashCode();
    }

    // Parking

    /**
     * Instead of Unsafe.park. What a thread does after it depends on what it then loads, and on inputs: so in a replay it
     * returns at once, if it returned. The real permit does not matter there.
     */
    public static void park(Object unsafe, boolean isAbsolute, long time) {
        if (self() <= 0) {
            DittoOrder.U.park(isAbsolute, time);
        } else {
            if (!DittoOrder.REPLAY)
                DittoOrder.U.park(isAbsolute, time);
            input(PARK, 0);
        }
    }

    public static void beforeAcquire(Object lock, int site) {
        if (lock != null && self() > 0)
            beginAcquire(thingOf(lock), lock, site);
    }

    public static void afterAcquire(Object lock, int site) {
        if (lock != null && self() > 0)
            endAcquire(thingOf(lock), lock, site);
    }

    public static void beforeRelease(Object lock, int site) {
        if (lock != null && self() > 0)
            release(thingOf(lock), lock, site);
    }

    private static native void beginAcquire(int thing, Object lock, int site);

    private static native void endAcquire(int thing, Object lock, int site);

    private static native void release(int thing, Object lock, int site);

    /** What stands between a before and an after hook threw. */
    public static void abandon() {
        if (self() > 0)
            abandonAccess();
    }

    private static native void abandonAccess();

    /** Around a method with the annotation DittoIgnore: the calling thread is not known meanwhile. */
    public static void beginIgnored() {
        beginIgnored(Thread.currentThread());
    }

    public static void endIgnored() {
        endIgnored(Thread.currentThread());
    }

    private static native void beginIgnored(Thread self);

    private static native void endIgnored(Thread self);

    /** After an object or array was made; only in classes rewritten for a debugger. */
    public static native void made(Object object);

    /** Before a method returns a value; likewise. */
    public static native void returned(int value);

    public static native void returned(long value);

    public static native void returned(float value);

    public static native void returned(double value);

    public static native void returned(Object value);

    public static void beginInit(int site) {
        enterProgram();
        initializing(site);
    }

    public static void endInit(int site) {
        initialized(site);
        leaveProgram();
    }

    private static native void initializing(int site);

    private static native void initialized(int site);

    /** On entry to Thread.dispatchUncaughtException. */
    static native void uncaught();

    /** What a call of clone() has answered. If it is a copy, the number in it is that of the original's thing. */
    public static void cloned(Object object) {
        if (begun && object != null && !object.getClass().isArray() && DittoOrder.U.getInt(object, DittoOrder.THING) != 0)
            checkNumber(object);
    }

    private static native void checkNumber(Object object);

    public static Object same(Object object) {
        return object;
    }

    // With --verify, hooks are given what was loaded and what will be stored.

    /** The value's bits, and the letter of its type: a small one if it will be stored. */
    private static native void verify(long value, int type);

    /** What of an object is the same in every run: its class, the contents of strings and boxes, an array's length. */
    private static long digest(Object object) {
        if (object == null)
            return 0;
        Class<?> type = object.getClass();
        String name = type.getName();
        long content = 0;
        if (type == String.class || type == Integer.class || type == Long.class || type == Double.class
                || type == Float.class || type == Boolean.class || type == Character.class || type == Short.class
                || type == Byte.class)
            content = object.hashCode();
        else if (object instanceof Enum)
            content = ((Enum<?>) object).ordinal();
        else if (type.isArray())
            content = java.lang.reflect.Array.getLength(object);
        // Lambdas and proxies are numbered as they come.
        int made = type.isHidden() ? name.indexOf('/') : name.indexOf("$Proxy");
        int lambda = name.indexOf("$$Lambda");
        int end = lambda >= 0 ? lambda : made >= 0 ? made : name.length();
        long hash = end == name.length() ? name.hashCode() : name.substring(0, end).hashCode();
        return (hash << 32 | content & 0xffffffffL) | 1L << 63;
    }

    public static void loaded(int value) {
        verify(value, 'I');
    }

    public static void loaded(long value) {
        verify(value, 'J');
    }

    public static void loaded(float value) {
        verify(Float.floatToRawIntBits(value), 'F');
    }

    public static void loaded(double value) {
        verify(Double.doubleToRawLongBits(value), 'D');
    }

    public static void loaded(Object value) {
        verify(digest(value), 'L');
    }

    public static void stored(int value) {
        verify(value, 'i');
    }

    public static void stored(long value) {
        verify(value, 'j');
    }

    public static void stored(float value) {
        verify(Float.floatToRawIntBits(value), 'f');
    }

    public static void stored(double value) {
        verify(Double.doubleToRawLongBits(value), 'd');
    }

    public static void stored(Object value) {
        verify(digest(value), 'l');
    }

    /** Before something that may initialize a class; only in a replay. */
    public static void beforeInit(Class<?> type, int site) {
        boolean[] now = settled;
        if (site < now.length && now[site])
            return;
        if (awaitInit(type, site))
            settle(site);
    }

    /** Waits for whoever initializes the class, unless it is the calling thread. True: never ask again. */
    private static native boolean awaitInit(Class<?> type, int site);

    /** Before the JDK initializes a class: the class, what reflection is about to call, or the handle of a constructor. */
    public static void willInitialize(Object what) {
        if (!begun || !DittoOrder.REPLAY || !isKnown())
            return;
        Class<?> type = null;
        if (what instanceof Class)
            type = (Class<?>) what;
        else if (what instanceof MethodHandle)
            // Of a DirectMethodHandle$Constructor; its type may say a superclass.
            type = (Class<?>) DittoOrder.U.getReference(what, DittoOrder.U.objectFieldOffset(what.getClass(), "instanceClass"));
        else if (what instanceof Constructor || Modifier.isStatic(((Member) what).getModifiers()))
            type = ((Member) what).getDeclaringClass();
        if (type != null && DittoOrder.U.shouldBeInitialized(type))
            awaitType(type);
    }

    private static native void awaitType(Class<?> type);

    private static synchronized void settle(int site) {
        boolean[] now = settled;
        if (site >= now.length) {
            boolean[] larger = new boolean[Math.max(site + 1, 2 * now.length)];
            System.arraycopy(now, 0, larger, 0, now.length);
            now = larger;
        }
        now[site] = true;
        settled = now;
    }

    // Object.wait

    /** Lets the engine's monitor go. Answers how often it was held; 0: not by recorded code. */
    private static native int beginWait(int thing, Object lock);

    /** Recording: the monitor is held again. */
    private static native void endWait(int thing, Object lock, int depth, int how);

    /** Replaying: lets the Java monitor go once. */
    private static native void leave(Object lock);

    /** Replaying: waits for the thread's turn, enters again, and answers how the recorded wait ended. */
    private static native int returnFromWait(int thing, Object lock, int depth, int locks);

    public static void waitOn(Object lock) throws InterruptedException {
        waitOn(lock, 0);
    }

    public static void waitOn(Object lock, long millis) throws InterruptedException {
        int thing = lock == null || millis < 0 || !isKnown() || !Thread.holdsLock(lock) ? 0 : thingOf(lock);
        int depth = thing == 0 ? 0 : beginWait(thing, lock);
        if (depth == 0) {
            lock.wait(millis);
        } else if (DittoOrder.REPLAY) {
            int locks = 0;
            // A monitor that was entered again may be held once or more often in the eyes of the JVM.
            while (Thread.holdsLock(lock)) {
                leave(lock);
                locks++;
            }
            if (returnFromWait(thing, lock, depth, locks) == WAS_INTERRUPTED)
                throw interruption();
        } else {
            int how = WAS_INTERRUPTED;
            pause();
            try {
                lock.wait(millis);
                how = DONE;
            } finally {
                resume();
                endWait(thing, lock, depth, how);
            }
        }
    }

    public static void waitOn(Object lock, long millis, int nanos) throws InterruptedException {
        if (lock == null || millis < 0 || nanos < 0 || nanos > 999999)
            lock.wait(millis, nanos);
        waitOn(lock, nanos > 0 && millis < Long.MAX_VALUE ? millis + 1 : millis);
    }

    /** A replayed interruption: the real one, if it has come already, is used up by it. */
    private static InterruptedException interruption() {
        pause();
        try {
            Thread.interrupted();
            return new InterruptedException();
        } finally {
            resume();
        }
    }

    // Thread.sleep

    public static void sleep(long millis) throws InterruptedException {
        sleep(millis, 0);
    }

    public static void sleep(long millis, int nanos) throws InterruptedException {
        if (millis < 0 || nanos < 0 || nanos > 999999 || !isKnown()) {
            Thread.sleep(millis, nanos);
        } else if (DittoOrder.REPLAY) {
            if (input(SLEEP, 0) == WAS_INTERRUPTED)
                throw interruption();
        } else {
            int how = WAS_INTERRUPTED;
            pause();
            try {
                Thread.sleep(millis, nanos);
                how = DONE;
            } finally {
                resume();
                input(SLEEP, how);
            }
        }
    }

    public static void sleep(Duration duration) throws InterruptedException {
        sleep(TimeUnit.NANOSECONDS, TimeUnit.NANOSECONDS.convert(duration));
    }

    public static void sleep(TimeUnit unit, long timeout) throws InterruptedException {
        if (unit == null)
            unit.sleep(timeout);
        if (timeout <= 0)
            return;
        long millis = unit.toMillis(timeout);
        sleep(millis, (int) (unit.toNanos(timeout) - TimeUnit.MILLISECONDS.toNanos(millis)));
    }

    // Thread.join, isAlive

    /** Whether the engine knows the thread, because it was started by one that it knows. */
    private static native boolean isStarted(Thread thread);

    /** The thread has ended; in a replay, first waits until it has. */
    private static native void joined(Thread thread);

    /** The calling thread is about to wait for the end of this one, or, null, no longer does; for reports. */
    private static native void joins(Thread thread);

    private static int joinFor(Thread thread, long millis) throws InterruptedException {
        int how = WAS_INTERRUPTED;
        joins(thread);
        if (DittoOrder.REPLAY) {
            how = (int) input(JOIN, 0);
            joins(null);
            if (how == WAS_INTERRUPTED)
                throw interruption();
        } else {
            boolean started = isStarted(thread);
            pause();
            try {
                thread.join(millis);
                how = thread.isAlive() ? TIMED_OUT : started ? DONE : NOT_STARTED;
            } finally {
                resume();
                joins(null);
                input(JOIN, how);
            }
        }
        if (how == DONE)
            joined(thread);
        else if (how == NOT_STARTED && DittoOrder.REPLAY && !isStarted(thread))
            awaitUnknown(thread);
        return how;
    }

    /** It was not started in the recording, or it is one that the engine does not know, and had ended. */
    private static void awaitUnknown(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive())
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        if (interrupted)
            Thread.currentThread().interrupt();
    }

    public static void join(Thread thread) throws InterruptedException {
        join(thread, 0);
    }

    public static void join(Thread thread, long millis) throws InterruptedException {
        if (thread == null || millis < 0 || !isKnown())
            thread.join(millis);
        else
            joinFor(thread, millis);
    }

    public static void join(Thread thread, long millis, int nanos) throws InterruptedException {
        if (thread == null || millis < 0 || nanos < 0 || nanos > 999999)
            thread.join(millis, nanos);
        join(thread, nanos > 0 && millis < Long.MAX_VALUE ? millis + 1 : millis);
    }

    public static boolean join(Thread thread, Duration duration) throws InterruptedException {
        long nanos = TimeUnit.NANOSECONDS.convert(duration);
        if (thread.getState() == Thread.State.NEW)
            throw new IllegalThreadStateException("Thread not started");
        if (nanos <= 0)
            return !isAlive(thread);
        long millis = Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos));
        if (isKnown())
            return joinFor(thread, millis) != TIMED_OUT;
        thread.join(millis);
        return !thread.isAlive();
    }

    public static boolean isAlive(Thread thread) {
        return input(IS_ALIVE, thread.isAlive() ? 1 : 0) != 0;
    }

    // Interrupts. The flag itself is set in a replay as in the recording; what is seen of it comes from the trace.

    public static boolean isInterrupted(Thread thread) {
        return input(IS_INTERRUPTED, thread.isInterrupted() ? 1 : 0) != 0;
    }

    public static boolean interrupted() {
        return input(INTERRUPTED, Thread.interrupted() ? 1 : 0) != 0;
    }

    // Inputs: see regions.c for what calls these. Each ends the pause of the method that it stands in.

    /** What is the same for all threads, and is made when the first of them asks: made now, by the main thread. */
    private static void share() throws ClassNotFoundException {
        pause();
        try {
            for (String name : new String[] {"user.name", "user.home", "os.name", "os.version", "java.io.tmpdir",
                    "user.timezone"})
                shareProperty(name);
        } finally {
            resume();
        }
        mute();
        try {
            for (String name : new String[] {"java.lang.Math$RandomNumberGeneratorHolder", "java.time.Clock"})
                Class.forName(name, true, null);
        } finally {
            unmute();
        }
    }

    private static void shareProperty(String name) {
        if (!DittoOrder.REPLAY) {
            setting("system." + name, System.getProperty(name));
            return;
        }
        String recorded = setting("system." + name, null);
        if (recorded != null)
            System.setProperty(name, recorded);
    }

    /** Whether the object's header holds an identity hash. */
    private static boolean hasHash(Object object) {
        return DittoArray.hashInHeader(object) != 0;
    }

    public static long threadId(long id) {
        resume();
        return programInput(THREAD_ID, id);
    }

    public static int threadNumber(int number) {
        resume();
        return (int) programInput(THREAD_NUMBER, number);
    }

    public static long seed(long seed) {
        resume();
        return input(SEED, seed);
    }

    /** The first seed of classes, which may be made while recording pauses: one number of the run. */
    public static long runSeed(long seed) {
        resume();
        return begun ? firstSeed(seed) : seed;
    }

    private static native long firstSeed(long seed);

    /**
     * Only if java.util.concurrent is not recorded. The JDK's own tables use ThreadLocalRandom when threads collide: the
     * seed counts from the first current() on.
     */
    public static void currentSeed() {
        resume();
        if (!isKnown() || !needsSeed())
            return;
        Thread self = Thread.currentThread();
        self.threadLocalRandomSeed = input(SEED, self.threadLocalRandomSeed);
        self.threadLocalRandomProbe = (int) input(SEED, self.threadLocalRandomProbe);
    }

    public static void randomBytes(byte[] bytes) {
        resume();
        inputBytes(SECURE_RANDOM, bytes);
    }

    public static byte[] randomSeed(byte[] seed) {
        resume();
        inputBytes(SECURE_RANDOM, seed);
        return seed;
    }

    public static Object referent(java.lang.ref.Reference<?> reference) {
        return DittoReference.get(reference);
    }

    public static Object superReferent(java.lang.ref.Reference<?> reference) {
        return DittoReference.superGet(reference);
    }

    public static boolean refersTo(java.lang.ref.Reference<?> reference, Object object) {
        return DittoReference.refersTo(reference, object);
    }

    public static void referenceMade(java.lang.ref.Reference<?> reference) {
        if (begun)
            DittoReference.made(reference);
    }

    /** Replaying: the collector was faster than in the recording. */
    static native void lostReferent();
}
