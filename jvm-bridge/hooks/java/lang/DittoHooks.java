// SPDX-License-Identifier: MIT
package java.lang;

import java.lang.invoke.VarHandle;
import java.lang.reflect.Array;
import java.util.Set;
import jdk.internal.reflect.Reflection;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Stable;

/**
 * What rewritten classes call. The agent defines this class in java.base, from bytes that it carries, and registers the
 * native methods; natives.h says where they are. {@link DittoCalls} stands in for methods of the JDK,
 * {@link DittoInputs} is called by some of them.
 *
 * <p>The hooks around accesses look first whether the event is one that {@link DittoQuick} can do by itself; what may
 * have to wait is native, because a thread that waits for its turn in a replay must not keep the collector from running.
 * In between the program makes its access. If that throws, or a hook runs out of stack, {@link #abandon} ends what has
 * begun.
 *
 * <p>Calls on threads that the engine does not know do what the original does.
 */
public final class DittoHooks {
    // Recorded classes of the JDK call this class from the first instruction of the JVM on, before classes such as Unsafe
    // may be initialized: so its own initializer touches none. What a known thread needs is in DittoQuick.

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
        setUp();
        DittoEnd.begin();
    }

    private static native void setUp();

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
    static long programInput(int kind, long value) {
        return isKnown() ? programInputOf(kind, value) : value;
    }

    private static native long programInputOf(int kind, long value);

    /** Once for each thread: whether its seed of ThreadLocalRandom is an input now. */
    static native boolean needsSeed();

    /** An input: in a replay the bytes become the recorded ones. */
    static void inputBytes(int kind, byte[] bytes) {
        if (isKnown())
            inputBytesOf(kind, bytes);
    }

    private static native void inputBytesOf(int kind, byte[] bytes);

    /** Recording: notes a property of the trace. Replaying: answers the recorded value, or null. */
    static native String setting(String name, String value);

    /** What System.identityHashCode answers where there is no recording. */
    static native int identityHash(Object object);

    /** Where something is, by its name in core/engine/quick.h. What has no such name ends the program. */
    static native long layout(String name);

    /** Which text the session's quick events follow; null: none, every event is a call. */
    static native String quickText();

    /** Refuses to go on if objects cannot have the number at that offset. */
    static native long shadows(long numberOffset);

    static native long shadowUnit();

    /** The address of what the first site's hooks have to know; see struct ditto_site_info. */
    static native long sites();

    static native long siteSize();

    /** A shadow for a class or thread, which gets its number, or for an array. */
    static native int newShadow(Object object);

    /** A shadow for any other object, whose class has that number, or 0. */
    private static native int newShadow(Object object, int classNumber);

    /** Another thread was faster. */
    private static native void dropShadow(Object object, int shadow);

    /** That of an array that has died. */
    static native void freeShadow(int shadow);

    /** The slow ends of quick events. */
    static native void wakeLock(long place);

    static native void wake(long self, long place);

    /** The engine's handle of the calling thread; 0 or less: nothing of what it does now is recorded. */
    @ForceInline
    static long self() {
        return begun ? DittoQuick.U.getLong(Thread.currentThread(), DittoQuick.HANDLE) : 0;
    }

    // Pauses. What a hook itself has the JDK do, in a recording alone, is not recorded. Nor is what the JVM has done by
    // whichever thread needs it first, loading classes, linking call sites, initializing classes of the JDK: a replay
    // could not repeat it in the same thread, and need not.

    /** From now on, until resume(), the calling thread is one that the engine does not know. Pauses nest. */
    public static void pause() {
        if (!begun)
            return;
        Thread thread = Thread.currentThread();
        long handle = DittoQuick.U.getLong(thread, DittoQuick.HANDLE);
        if (handle > 0) {
            if (!isMuted())
                DittoRandom.keep(thread, handle, true);
            setPaused(true);
            DittoQuick.U.putLong(thread, DittoQuick.HANDLE, -1);
        } else if (handle < 0) {
            DittoQuick.U.putLong(thread, DittoQuick.HANDLE, handle - 1);
        }
    }

    public static void resume() {
        if (!begun)
            return;
        Thread thread = Thread.currentThread();
        long handle = DittoQuick.U.getLong(thread, DittoQuick.HANDLE);
        if (handle < -1) {
            DittoQuick.U.putLong(thread, DittoQuick.HANDLE, handle + 1);
        } else if (handle < 0) {
            DittoQuick.U.putLong(thread, DittoQuick.HANDLE, setPaused(false));
            if (!isMuted())
                DittoRandom.giveBack(thread);
        }
    }

    /** Answers the thread's handle. */
    private static native long setPaused(boolean paused);

    /**
     * On entry to a method of the program that the JDK calls, perhaps in a pause or a muted call: a class initializer, a
     * method of a class loader, a bootstrap method, a method of a stream. What the program does is recorded, whoever calls
     * it.
     */
    public static void enterProgram() {
        if (!begun)
            return;
        Thread thread = Thread.currentThread();
        long handle = DittoQuick.U.getLong(thread, DittoQuick.HANDLE);
        if (handle == 0)
            return;
        boolean unrecorded = handle < 0 || isMuted();
        DittoQuick.U.putLong(thread, DittoQuick.HANDLE, leavePauses(handle));
        if (unrecorded)
            DittoRandom.giveBack(thread);
    }

    /** On every way out of it. */
    public static void leaveProgram() {
        if (!begun)
            return;
        Thread thread = Thread.currentThread();
        long self = DittoQuick.U.getLong(thread, DittoQuick.HANDLE);
        long pauses = self == 0 ? 0 : enterPauses();
        if (pauses < 0 || isMuted())
            DittoRandom.keep(thread, self, !isMuted());
        if (pauses < 0)
            DittoQuick.U.putLong(thread, DittoQuick.HANDLE, pauses);
    }

    /** Notes how often the thread has paused, and how deep it is in muted calls, and ends both; its handle. */
    private static native long leavePauses(long handle);

    /** The latest such note of pauses; the thread has paused again if it is one, and is muted as it was. */
    private static native long enterPauses();

    // Muted calls: those of recorded classes of the JDK by other classes of the JDK, which use them for what is their own.
    // DittoLibrary does not record what is done in them, nor are the hash codes inputs that it asks its keys for.

    public static void mute() {
        long self = self();
        if (self <= 0)
            return;
        int depth = DittoQuick.U.getInt(self + DittoQuick.MUTED);
        if (depth == 0)
            DittoRandom.keep(Thread.currentThread(), self, false);
        DittoQuick.U.putInt(self + DittoQuick.MUTED, depth + 1);
    }

    public static void unmute() {
        long self = self();
        if (self <= 0)
            return;
        int depth = DittoQuick.U.getInt(self + DittoQuick.MUTED) - 1;
        DittoQuick.U.putInt(self + DittoQuick.MUTED, depth);
        if (depth == 0)
            DittoRandom.giveBack(Thread.currentThread());
    }

    @ForceInline
    static boolean isMuted() {
        long self = self();
        return self > 0 && DittoQuick.U.getInt(self + DittoQuick.MUTED) != 0;
    }

    /** The number of the object's shadow, made if there is none yet. */
    static int shadowOf(Object object) {
        if (object.getClass().isArray())
            return DittoArray.shadowOf(object);
        int shadow = DittoQuick.U.getInt(object, DittoQuick.SHADOW);
        return shadow != 0 ? shadow : makeShadow(object);
    }

    /** The numbers of classes and threads are given by the agent, too, and under its lock. */
    private static int makeShadow(Object object) {
        if (object instanceof Thread || object instanceof Class)
            return newShadow(object);
        int shadow = newShadow(object, DittoQuick.U.getInt(object.getClass(), DittoQuick.SHADOW));
        if (DittoQuick.U.compareAndSetInt(object, DittoQuick.SHADOW, 0, shadow))
            return shadow;
        dropShadow(object, shadow);
        return DittoQuick.U.getInt(object, DittoQuick.SHADOW);
    }

    @ForceInline
    static long addressOf(int shadow) {
        return DittoQuick.SHADOWS + DittoQuick.SHADOW_UNIT * shadow;
    }

    /** Of an array; 0: it has none yet. */
    @ForceInline
    static long stateOf(int shadow) {
        return DittoQuick.U.getLong(addressOf(shadow));
    }

    /** Of a field's site: where its place is from an object's shadow on; of a static's: its place; 0: not known yet. */
    @ForceInline
    private static long placeAt(int site) {
        return DittoQuick.U.getLong(DittoQuick.SITES + DittoQuick.SITE_SIZE * site);
    }

    /** The place of an object's field; 0: it is not known yet. */
    @ForceInline
    private static long fieldPlace(Object object, int site) {
        long offset = placeAt(site);
        int shadow = DittoQuick.U.getInt(object, DittoQuick.SHADOW);
        return offset == 0 || shadow == 0 ? 0 : addressOf(shadow) + offset;
    }

    @ForceInline
    static long elementPlace(int shadow, int index) {
        long state = stateOf(shadow);
        if (state == 0)
            return 0;
        long reciprocal = DittoQuick.U.getLong(state + DittoQuick.RECIPROCAL);
        long number = reciprocal == 0 ? index : Math.multiplyHigh(2L * index, reciprocal);
        return state + DittoQuick.FIRST_PLACE + number * DittoQuick.PLACE_SIZE;
    }

    /** Whether the event can be quick: its place is known, and no access was left behind. */
    @ForceInline
    private static boolean isQuick(long self, long place) {
        return DittoQuick.QUICK && place != 0 && DittoQuick.U.getLong(self + DittoQuick.ACCESS) == 0;
    }

    @ForceInline
    public static void beforeLoad(Object object, int site) {
        long self = self();
        if (self <= 0 || object == null)
            return;
        long place = fieldPlace(object, site);
        if (!isQuick(self, place) || !DittoQuick.beginLoad(self, place))
            loadField(self, object, site);
    }

    @ForceInline
    public static void beforeStore(Object object, int site) {
        long self = self();
        if (self <= 0 || object == null)
            return;
        long place = fieldPlace(object, site);
        if (!isQuick(self, place) || !DittoQuick.beginStore(self, place))
            storeField(self, object, site);
    }

    @ForceInline
    public static void beforeStaticLoad(int site) {
        long self = self();
        if (self <= 0)
            return;
        long place = placeAt(site);
        if (!isQuick(self, place) || !DittoQuick.beginLoad(self, place))
            loadStatic(site);
    }

    @ForceInline
    public static void beforeStaticStore(int site) {
        long self = self();
        if (self <= 0)
            return;
        long place = placeAt(site);
        if (!isQuick(self, place) || !DittoQuick.beginStore(self, place))
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
        int shadow = DittoArray.shadowOf(array);
        long place = elementPlace(shadow, index);
        if (!isQuick(self, place) || !DittoQuick.beginLoad(self, place))
            loadElement(shadow, array, length, index, site);
    }

    @ForceInline
    public static void beforeArrayStore(Object array, int index, int site) {
        long self = self();
        if (self <= 0 || array == null)
            return;
        int length = Array.getLength(array);
        if (Integer.compareUnsigned(index, length) >= 0)
            return;
        int shadow = DittoArray.shadowOf(array);
        long place = elementPlace(shadow, index);
        if (!isQuick(self, place) || !DittoQuick.beginStore(self, place))
            storeElement(shadow, array, length, index, site);
    }

    /** The place of a field of an object that may be new: then its shadow is made. 0: it was there, or is not known yet. */
    private static long newFieldPlace(Object object, int site) {
        if (DittoQuick.U.getInt(object, DittoQuick.SHADOW) != 0)
            return 0;
        shadowOf(object);
        return fieldPlace(object, site);
    }

    @DontInline
    private static void loadField(long self, Object object, int site) {
        long place = newFieldPlace(object, site);
        if (!isQuick(self, place) || !DittoQuick.beginLoad(self, place))
            beginFieldLoad(shadowOf(object), object, site);
    }

    @DontInline
    private static void storeField(long self, Object object, int site) {
        long place = newFieldPlace(object, site);
        if (!isQuick(self, place) || !DittoQuick.beginStore(self, place))
            beginFieldStore(shadowOf(object), object, site);
    }

    private static native void beginFieldLoad(int shadow, Object object, int site);

    private static native void beginFieldStore(int shadow, Object object, int site);

    private static native void loadStatic(int site);

    private static native void storeStatic(int site);

    private static native void loadElement(int shadow, Object array, int length, int index, int site);

    private static native void storeElement(int shadow, Object array, int length, int index, int site);

    @ForceInline
    static void endLoad() {
        long self = self(), access = self <= 0 ? 0 : DittoQuick.U.getLong(self + DittoQuick.ACCESS);
        if (access == 0)
            return;
        if (DittoQuick.QUICK)
            DittoQuick.endLoad(self, access);
        else
            endAccess();
    }

    @ForceInline
    static void endStore() {
        long self = self(), access = self <= 0 ? 0 : DittoQuick.U.getLong(self + DittoQuick.ACCESS);
        if (access == 0)
            return;
        if (DittoQuick.QUICK)
            DittoQuick.endStore(self, access);
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
    static void beginLoad(long self, long place, int site) {
        if (place != 0 && (!isQuick(self, place) || !DittoQuick.beginLoad(self, place)))
            loadPlace(place, site);
    }

    @ForceInline
    static void beginStore(long self, long place, int site) {
        if (place != 0 && (!isQuick(self, place) || !DittoQuick.beginStore(self, place)))
            storePlace(place, site);
    }

    @ForceInline
    private static void beginUpdate(long self, long place, int site) {
        if (place != 0 && (!isQuick(self, place) || !DittoQuick.beginUpdate(self, place)))
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

    // StringBuilder: a call is an access to one of its fields.

    @ForceInline
    public static void beforeTextLoad(Object builder, int site) {
        beforeRawLoad(builder, DittoPlace.OF_BUILDER, site);
    }

    @ForceInline
    public static void beforeTextStore(Object builder, int site) {
        beforeRawStore(builder, DittoPlace.OF_BUILDER, site);
    }

    /** A compare-and-set is done. */
    @ForceInline
    public static void afterUpdate(boolean stored, int site) {
        long self = self(), access = self <= 0 ? 0 : DittoQuick.U.getLong(self + DittoQuick.ACCESS);
        if (access != 0 && !(DittoQuick.QUICK && DittoQuick.endUpdate(self, access, stored)))
            endUpdate(access & ~3L, stored);
    }

    private static native void loadPlace(long place, int site);

    private static native void storePlace(long place, int site);

    private static native void updatePlace(long place, int site);

    private static native void endUpdate(long place, boolean stored);

    /** The place of the field at an offset of the object; of a class also of its statics, plus 1; 0: there is none. */
    static native long fieldPlace(Object object, int shadow, long offset);

    static native long firstElementPlace(int shadow, int length, int index);

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

    public static void beforeAcquire(Object lock, int site) {
        if (lock != null && self() > 0)
            beginAcquire(shadowOf(lock), lock, site);
    }

    public static void afterAcquire(Object lock, int site) {
        if (lock != null && self() > 0)
            endAcquire(shadowOf(lock), lock, site);
    }

    public static void beforeRelease(Object lock, int site) {
        if (lock != null && self() > 0)
            release(shadowOf(lock), lock, site);
    }

    private static native void beginAcquire(int shadow, Object lock, int site);

    private static native void endAcquire(int shadow, Object lock, int site);

    private static native void release(int shadow, Object lock, int site);

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

    // Copies by clone().

    /** What a clone() has answered to code that is not recorded. A copy's number is that of the original's shadow. */
    public static void cloned(Object object) {
        if (begun && object != null && !object.getClass().isArray() && DittoQuick.U.getInt(object, DittoQuick.SHADOW) != 0)
            checkNumber(object);
    }

    /** Before a clone() that may be Object's: {@link #cloned(Object, Object, int)} has to know a copy by its number. */
    public static void cloning(Object original) {
        if (original != null && self() > 0 && !original.getClass().isArray())
            shadowOf(original);
    }

    /** What that has answered. It is Object's if the answer has the number of the original. */
    public static void cloned(Object original, Object copy, int site) {
        long self = self();
        boolean isCopy = self > 0 && copy != null && copy != original && copy.getClass() == original.getClass()
                && !copy.getClass().isArray()
                && DittoQuick.U.getInt(copy, DittoQuick.SHADOW) == DittoQuick.U.getInt(original, DittoQuick.SHADOW);
        cloned(copy);
        if (isCopy)
            DittoCopy.fields(self, original, copy, site);
    }

    /** Object.clone() has made the copy. */
    public static void copied(Object original, Object copy, int site) {
        long self = self();
        if (self > 0)
            DittoCopy.fields(self, original, copy, site);
    }

    /** The address of what {@link DittoCopy} has to know of the object's class. */
    static native long copiedFields(int shadow, Object object);

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

    static native void awaitType(Class<?> type);

    /** Returns only in the thread that has ended the recorded program, or if none of them has. */
    static native void awaitExit();

    static native void noteExit();

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

    // Natives for DittoCalls and DittoInputs

    /** Lets the engine's monitor go. Answers how often it was held; 0: not by recorded code. */
    static native int beginWait(int shadow, Object lock);

    /** Recording: the monitor is held again. */
    static native void endWait(int shadow, Object lock, int depth, int how);

    /** Replaying: lets the Java monitor go once. */
    static native void leave(Object lock);

    /** Replaying: waits for the thread's turn, enters again, and answers how the recorded wait ended. */
    static native int returnFromWait(int shadow, Object lock, int depth, int locks);

    /** Whether the engine knows the thread, because it was started by one that it knows. */
    static native boolean isStarted(Thread thread);

    /** The calling thread is known from now on, if the engine takes it. */
    static native boolean adopt(Thread thread);

    /** Until another thread has called that. */
    static native void awaitAdoption();

    /** In a replay: the name of the thread that was adopted in the recording, or null. */
    static native String adoptedName();

    /** The thread has ended; in a replay, first waits until it has. */
    static native void joined(Thread thread);

    /** The calling thread is about to wait for the end of this one, or, null, no longer does; for reports. */
    static native void joins(Thread thread);

    static native long firstSeed(long seed);

    /** Replaying: the collector was faster than in the recording. */
    static native void lostReferent();
}
