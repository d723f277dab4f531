// SPDX-License-Identifier: MIT
package java.lang;

import java.lang.reflect.Array;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import jdk.internal.misc.Unsafe;
import jdk.internal.reflect.Reflection;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

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
    private static final int SEED = 41;
    private static final int SECURE_RANDOM = 42;
    private static final int THREAD_ID = 43;
    private static final int THREAD_NUMBER = 44;
    private static final int REFERENT = 46;
    private static final int PROCESS = 48;

    // How a wait, sleep or join ended.
    private static final int DONE = 0;
    private static final int WAS_INTERRUPTED = 1;
    private static final int TIMED_OUT = 2;
    private static final int NOT_STARTED = 3;

    static {
        register();
        // The agent's own fields, which a program that looks at all fields of its objects must not see.
        Reflection.registerFieldsToFilter(Object.class, Set.of("$ditto"));
        Reflection.registerFieldsToFilter(Thread.class, Set.of("$dittoThread"));
    }

    static final boolean REPLAY = isReplay();

    private static final Unsafe U = Unsafe.getUnsafe();
    /** In each object: the number of its thing. Never to be looked at in an array, where it is the length. */
    private static final long THING = U.objectFieldOffset(Object.class, "$ditto");
    /** In each Thread: the engine's handle of the thread; 0: the engine does not know it. */
    private static final long HANDLE = U.objectFieldOffset(Thread.class, "$dittoThread");

    /** Where things and sites are, and how far apart; a thing begins with the address of its object's state. */
    private static final long THINGS = things(THING);
    private static final long THING_SIZE = thingSize();
    private static final long SITES = sites();
    private static final long SITE_SIZE = siteSize();

    /** By site: nothing there can initialize a class out of turn any more. Guarded by its own replacement. */
    private static volatile boolean[] settled = new boolean[1024];

    private DittoHooks() {
    }

    /** The agent's, to look at a class before it is loaded; null if there is none. */
    private static byte[] classFile(ClassLoader loader, String resource) {
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

    private static native boolean isReplay();

    /** Whether the engine knows the calling thread. */
    private static native boolean isKnown();

    /** An input: answers the value, or in a replay the recorded one. */
    private static native long input(int kind, long value);

    /** The same, unless the JDK asks for itself. */
    private static native long programInput(int kind, long value);

    /** Once for each thread: whether its seed of ThreadLocalRandom is an input now. */
    private static native boolean needsSeed();

    /** An input: in a replay the bytes become the recorded ones. */
    private static native void inputBytes(int kind, byte[] bytes);

    /** Until the second the calling thread does work of the JDK's own, and has no inputs. */
    public static native void quietBegin();

    public static native void quietEnd();

    /** Recording: notes a property of the trace. Replaying: answers the recorded value, or null. */
    private static native String setting(String name, String value);

    /** What System.identityHashCode answers where there is no recording. */
    static native int identityHash(Object object);

    /** The numbers of core/quick.h, and at the end 1 if there are quick events. */
    static native long[] quick();

    /** Refuses to go on if objects cannot have the number at that offset. */
    private static native long things(long numberOffset);

    private static native long thingSize();

    /** The address of what the first site's hooks have to know; see struct ditto_site_info. */
    private static native long sites();

    private static native long siteSize();

    /** A thing for an object, which gets its number, or for an array. */
    static native int newThing(Object object);

    /** That of an array that has died. */
    static native void freeThing(int thing);

    /** The slow ends of quick events. */
    static native void wakeLock(long place);

    static native void wake(long self, long place);

    @ForceInline
    private static long self() {
        return U.getLong(Thread.currentThread(), HANDLE);
    }

    /** The number of the object's thing, made if there is none yet. */
    private static int thingOf(Object object) {
        if (object.getClass().isArray())
            return DittoArray.thingOf(object);
        int thing = U.getInt(object, THING);
        return thing != 0 ? thing : newThing(object);
    }

    @ForceInline
    private static long stateOf(int thing) {
        return U.getLong(THINGS + THING_SIZE * thing);
    }

    /** Of a field's site: where its place is in the state of an object; of a static's: its place; 0: not known yet. */
    @ForceInline
    private static long placeAt(int site) {
        return U.getLong(SITES + SITE_SIZE * site);
    }

    /** The place of an object's field; 0: it is not known yet. */
    @ForceInline
    private static long fieldPlace(Object object, int site) {
        long offset = placeAt(site);
        int thing = U.getInt(object, THING);
        if (offset == 0 || thing == 0)
            return 0;
        long state = stateOf(thing);
        return state == 0 ? 0 : state + offset;
    }

    @ForceInline
    private static long elementPlace(int thing, int index) {
        long state = stateOf(thing);
        if (state == 0)
            return 0;
        long reciprocal = U.getLong(state + DittoOrder.RECIPROCAL);
        long number = reciprocal == 0 ? index : Math.multiplyHigh(2L * index, reciprocal);
        return state + DittoOrder.FIRST_PLACE + number * DittoOrder.PLACE_SIZE;
    }

    /** Whether the event can be quick: its place is known, and no access was left behind. */
    @ForceInline
    private static boolean isQuick(long self, long place) {
        return DittoOrder.QUICK && place != 0 && U.getLong(self + DittoOrder.ACCESS) == 0;
    }

    @ForceInline
    public static void beforeLoad(Object object, int site) {
        long self = self();
        if (self == 0 || object == null)
            return;
        long place = fieldPlace(object, site);
        if (!isQuick(self, place) || !DittoOrder.beginLoad(self, place))
            loadField(object, site);
    }

    @ForceInline
    public static void beforeStore(Object object, int site) {
        long self = self();
        if (self == 0 || object == null)
            return;
        long place = fieldPlace(object, site);
        if (!isQuick(self, place) || !DittoOrder.beginStore(self, place))
            storeField(object, site);
    }

    @ForceInline
    public static void beforeStaticLoad(int site) {
        long self = self();
        if (self == 0)
            return;
        long place = placeAt(site);
        if (!isQuick(self, place) || !DittoOrder.beginLoad(self, place))
            loadStatic(site);
    }

    @ForceInline
    public static void beforeStaticStore(int site) {
        long self = self();
        if (self == 0)
            return;
        long place = placeAt(site);
        if (!isQuick(self, place) || !DittoOrder.beginStore(self, place))
            storeStatic(site);
    }

    @ForceInline
    public static void beforeArrayLoad(Object array, int index, int site) {
        long self = self();
        if (self == 0 || array == null)
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
        if (self == 0 || array == null)
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
        long self = self(), access = self == 0 ? 0 : U.getLong(self + DittoOrder.ACCESS);
        if (access == 0)
            return;
        if (DittoOrder.QUICK)
            DittoOrder.endLoad(self, access);
        else
            endAccess();
    }

    @ForceInline
    private static void endStore() {
        long self = self(), access = self == 0 ? 0 : U.getLong(self + DittoOrder.ACCESS);
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

    public static void beforeAcquire(Object lock, int site) {
        if (lock != null && self() != 0)
            beginAcquire(thingOf(lock), lock, site);
    }

    public static void afterAcquire(Object lock, int site) {
        if (lock != null && self() != 0)
            endAcquire(thingOf(lock), lock, site);
    }

    public static void beforeRelease(Object lock, int site) {
        if (lock != null && self() != 0)
            release(thingOf(lock), lock, site);
    }

    private static native void beginAcquire(int thing, Object lock, int site);

    private static native void endAcquire(int thing, Object lock, int site);

    private static native void release(int thing, Object lock, int site);

    /** What stands between a before and an after hook threw. */
    public static void abandon() {
        if (self() != 0)
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

    public static native void beginInit(int site);

    public static native void endInit(int site);

    /** On entry to Thread.dispatchUncaughtException. */
    static native void uncaught();

    /** What a call of clone() has answered. If it is a copy, the number in it is that of the original's thing. */
    public static void cloned(Object object) {
        if (object != null && !object.getClass().isArray() && U.getInt(object, THING) != 0)
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
        int thing = lock == null || millis < 0 || !Thread.holdsLock(lock) ? 0 : thingOf(lock);
        int depth = thing == 0 ? 0 : beginWait(thing, lock);
        if (depth == 0) {
            lock.wait(millis);
        } else if (REPLAY) {
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
            try {
                lock.wait(millis);
                how = DONE;
            } finally {
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
        Thread.interrupted();
        return new InterruptedException();
    }

    // Thread.sleep

    public static void sleep(long millis) throws InterruptedException {
        sleep(millis, 0);
    }

    public static void sleep(long millis, int nanos) throws InterruptedException {
        if (millis < 0 || nanos < 0 || nanos > 999999 || !isKnown()) {
            Thread.sleep(millis, nanos);
        } else if (REPLAY) {
            if (input(SLEEP, 0) == WAS_INTERRUPTED)
                throw interruption();
        } else {
            int how = WAS_INTERRUPTED;
            quietBegin();
            try {
                Thread.sleep(millis, nanos);
                how = DONE;
            } finally {
                quietEnd();
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

    private static int joinFor(Thread thread, long millis) throws InterruptedException {
        int how = WAS_INTERRUPTED;
        if (REPLAY) {
            how = (int) input(JOIN, 0);
            if (how == WAS_INTERRUPTED)
                throw interruption();
        } else {
            boolean started = isStarted(thread);
            quietBegin();
            try {
                thread.join(millis);
                how = thread.isAlive() ? TIMED_OUT : started ? DONE : NOT_STARTED;
            } finally {
                quietEnd();
                input(JOIN, how);
            }
        }
        if (how == DONE)
            joined(thread);
        else if (how == NOT_STARTED && REPLAY && !isStarted(thread))
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

    // Inputs: see regions.c for what calls these. Each ends the quiet of the method that it stands in.

    /** What is the same for all threads, and is made when the first of them asks: made now, by the main thread. */
    private static void begin() throws ClassNotFoundException {
        for (String name : new String[] {"user.name", "user.home", "os.name", "os.version", "java.io.tmpdir",
                "user.timezone"})
            if (REPLAY) {
                String recorded = setting("system." + name, null);
                if (recorded != null)
                    System.setProperty(name, recorded);
            } else {
                setting("system." + name, System.getProperty(name));
            }
        for (String name : new String[] {"java.util.concurrent.ThreadLocalRandom",
                "java.lang.Math$RandomNumberGeneratorHolder", "java.util.SplittableRandom"})
            Class.forName(name, true, null);
    }

    /** Whether the object's header holds an identity hash. */
    private static boolean hasHash(Object object) {
        return DittoArray.hashInHeader(object) != 0;
    }

    public static long threadId(long id) {
        quietEnd();
        return programInput(THREAD_ID, id);
    }

    public static int threadNumber(int number) {
        quietEnd();
        return (int) programInput(THREAD_NUMBER, number);
    }

    public static long seed(long seed) {
        quietEnd();
        return input(SEED, seed);
    }

    /** The JDK's own tables use ThreadLocalRandom when threads collide: the seed counts from the first current() on. */
    public static void localSeed() {
        quietEnd();
        if (!needsSeed())
            return;
        Thread self = Thread.currentThread();
        self.threadLocalRandomSeed = input(SEED, self.threadLocalRandomSeed);
        self.threadLocalRandomProbe = (int) input(SEED, self.threadLocalRandomProbe);
    }

    public static void randomBytes(byte[] bytes) {
        quietEnd();
        inputBytes(SECURE_RANDOM, bytes);
    }

    public static byte[] randomSeed(byte[] seed) {
        quietEnd();
        inputBytes(SECURE_RANDOM, seed);
        return seed;
    }

    public static boolean processState(boolean state) {
        quietEnd();
        return input(PROCESS, state ? 1 : 0) != 0;
    }

    /** In place of Reference.get: whether the collector has cleared it is an input. */
    public static Object referent(java.lang.ref.Reference<?> reference) {
        Object object = reference.get();
        boolean there = input(REFERENT, object != null ? 1 : 0) != 0;
        if (there && object == null)
            lostReferent();
        return there ? object : null;
    }

    /** Replaying: the collector was faster than in the recording. */
    private static native void lostReferent();

    public static java.util.TimeZone timeZone(java.util.TimeZone zone) {
        quietEnd();
        if (!REPLAY)
            setting("system.user.timezone", zone.getID());
        return zone;
    }
}
