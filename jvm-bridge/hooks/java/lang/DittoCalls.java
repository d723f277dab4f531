// SPDX-License-Identifier: MIT
package java.lang;

import static java.lang.DittoHooks.*;

import java.lang.reflect.Array;
import java.time.Duration;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import jdk.internal.misc.VM;

/**
 * What recorded classes call in place of methods of the JDK; replaced_calls.c says which. It is written in Java, so that its
 * exceptions are those of the JDK. On threads that the engine does not know each does what the original does.
 */
public final class DittoCalls {
    // The kinds of inputs; inputs.h has all.
    private static final int SLEEP = 3;
    private static final int JOIN = 4;
    private static final int IS_ALIVE = 5;
    private static final int IS_INTERRUPTED = 6;
    private static final int INTERRUPTED = 7;
    private static final int PARK = 9;
    private static final int THREAD_STATE = 11;
    private static final int THREAD_COUNT = 12;

    // How a wait, sleep or join ended.
    private static final int DONE = 0;
    private static final int WAS_INTERRUPTED = 1;
    private static final int TIMED_OUT = 2;
    private static final int NOT_STARTED = 3;

    private DittoCalls() {
    }

    // Copies of arrays

    /** One past the last element, before `end`, that shares the element's place. */
    private static int groupEnd(int shadow, int index, int end) {
        int stride = (int) DittoQuick.U.getLong(stateOf(shadow) + DittoQuick.STRIDE);
        return (int) Math.min(end, ((long) index / stride + 1) * stride);
    }

    /** Copies elements to a private array, each with its load. */
    private static void loadElements(long self, Object from, int start, Object to, int toStart, int length, int site) {
        int shadow = DittoArray.shadowOf(from);
        for (int i = start, end = start + length, next; i < end; i = next) {
            long place = DittoPlace.element(from, i);
            next = groupEnd(shadow, i, end);
            beginLoad(self, place, site);
            System.arraycopy(from, i, to, toStart + i - start, next - i);
            endLoad();
        }
    }

    /** Stores elements of a private array, each in its event. */
    private static void storeElements(long self, Object from, int fromStart, Object to, int start, int length, int site) {
        int shadow = DittoArray.shadowOf(to);
        for (int i = start, end = start + length, next; i < end; i = next) {
            long place = DittoPlace.element(to, i);
            next = groupEnd(shadow, i, end);
            beginStore(self, place, site);
            try {
                System.arraycopy(from, fromStart + i - start, to, i, next - i);
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
        storeElements(self, copy, 0, to, toStart, length, site);
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

    // Around methods of java.util.Arrays; array_calls.h says which, and why.

    /** A copy of an array that is looked at; where nothing is recorded, the array itself. */
    public static Object look(Object array, int site) {
        return array == null || !isKnown() || isMuted() ? array : cloneArray(array, site);
    }

    /** Another one of its type and length, to be filled. */
    public static Object blank(Object array, int site) {
        return array == null || !isKnown() || isMuted() ? array
                : Array.newInstance(array.getClass().getComponentType(), Array.getLength(array));
    }

    /** What has come of such a one: it is stored in the array, from one index to another or, if that is -1, to its end. */
    public static void put(Object made, Object array, int from, int to, int site) {
        if (made != array)
            storeElements(self(), made, from, array, from, (to < 0 ? Array.getLength(array) : to) - from, site);
    }

    // Instead of the copies of java.util.Arrays.

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
            return hashOfName(((Class<?>) key).getName());
        if (key instanceof Enum)
            return hashOfName(((Enum<?>) key).name());
        return key.hashCode();
    }

    /**
     * As String has it. Not by it in the JVM's first steps, in which a plain run asks for no string's hash: from JDK 25 on
     * that initializes a class of the JDK that keeps what is set after these, and would keep null.
     */
    private static int hashOfName(String name) {
        if (VM.initLevel() > 0)
            return name.hashCode();
        int hash = 0;
        for (int i = 0; i < name.length(); i++)
            hash = 31 * hash + name.charAt(i);
        return hash;
    }

    // What a StringBuilder is given: code of the program that it would call is called before, and what others may change
    // meanwhile is loaded.

    /** Of an append(Object): what String.valueOf(object) would be, but for null. */
    public static String textOf(Object object, int site) {
        if (object instanceof StringBuilder)
            return contentsOf((StringBuilder) object, site);
        return object == null ? null : object.toString();
    }

    public static String contentsOf(CharSequence sequence, int site) {
        if (sequence instanceof String || sequence == null)
            return (String) sequence;
        if (!(sequence instanceof StringBuilder))
            return new StringBuilder().append(sequence).toString();
        if (isMuted())
            return sequence.toString();
        beforeTextLoad(sequence, site);
        try {
            return sequence.toString();
        } finally {
            endLoad();
        }
    }

    public static String partOf(CharSequence sequence, int start, int end, int site) {
        CharSequence whole = sequence instanceof StringBuilder ? contentsOf(sequence, site) : sequence;
        return new StringBuilder().append(whole, start, end).toString();
    }

    public static char[] charactersOf(char[] array, int site) {
        return array == null || !copies(array.length, 0, array.length) ? array : copyOf(array, array.length, site);
    }

    /** The buffer itself is guarded by its monitor; an array that it is given need not be. */
    public static StringBuffer append(StringBuffer buffer, char[] array, int site) {
        return buffer.append(charactersOf(array, site));
    }

    public static StringBuffer append(StringBuffer buffer, char[] array, int start, int length, int site) {
        return buffer.append(charactersOf(array, site), start, length);
    }

    // Parking

    /**
     * Instead of Unsafe.park. What a thread does after it depends on what it then loads, and on inputs: so in a replay it
     * returns at once, if it returned. The real permit does not matter there.
     */
    public static void park(Object unsafe, boolean isAbsolute, long time) {
        if (self() <= 0) {
            DittoQuick.U.park(isAbsolute, time);
        } else {
            if (!DittoQuick.REPLAY)
                DittoQuick.U.park(isAbsolute, time);
            input(PARK, 0);
        }
    }

    // Object.wait

    public static void waitOn(Object lock) throws InterruptedException {
        waitOn(lock, 0);
    }

    public static void waitOn(Object lock, long millis) throws InterruptedException {
        int shadow = lock == null || millis < 0 || !isKnown() || !Thread.holdsLock(lock) ? 0 : shadowOf(lock);
        int depth = shadow == 0 ? 0 : beginWait(shadow, lock);
        if (depth == 0) {
            lock.wait(millis);
        } else if (DittoQuick.REPLAY) {
            int locks = 0;
            // A monitor that was entered again may be held once or more often in the eyes of the JVM.
            while (Thread.holdsLock(lock)) {
                leave(lock);
                locks++;
            }
            if (returnFromWait(shadow, lock, depth, locks) == WAS_INTERRUPTED)
                throw interruption(null);
        } else {
            int how = WAS_INTERRUPTED;
            pause();
            try {
                lock.wait(millis);
                how = DONE;
            } finally {
                resume();
                endWait(shadow, lock, depth, how);
            }
        }
    }

    public static void waitOn(Object lock, long millis, int nanos) throws InterruptedException {
        if (lock == null || millis < 0 || nanos < 0 || nanos > 999999)
            lock.wait(millis, nanos);
        waitOn(lock, nanos > 0 && millis < Long.MAX_VALUE ? millis + 1 : millis);
    }

    /** A replayed interruption: the real one, if it has come already, is used up by it. */
    private static InterruptedException interruption(String message) {
        pause();
        try {
            Thread.interrupted();
            return new InterruptedException(message);
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
        } else if (DittoQuick.REPLAY) {
            // The JVM's own words, in all its versions; other interruptions have none.
            if (input(SLEEP, 0) == WAS_INTERRUPTED)
                throw interruption("sleep interrupted");
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

    // Thread.join, isAlive, getState, activeCount

    private static int joinFor(Thread thread, long millis) throws InterruptedException {
        int how = WAS_INTERRUPTED;
        joins(thread);
        if (DittoQuick.REPLAY) {
            how = (int) input(JOIN, 0);
            joins(null);
            if (how == WAS_INTERRUPTED)
                throw interruption(null);
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
        else if (how == NOT_STARTED && DittoQuick.REPLAY && !isStarted(thread))
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

    public static Thread.State getState(Thread thread) {
        Thread.State[] states = Thread.State.values();
        return states[Math.floorMod((int) input(THREAD_STATE, thread.getState().ordinal()), states.length)];
    }

    public static int activeCount() {
        return (int) input(THREAD_COUNT, Thread.activeCount());
    }

    // Shutdown hooks

    public static void runHooks() {
        DittoEnd.runHooks();
    }

    public static Set<Thread> shutdownHooks(IdentityHashMap<Thread, Thread> hooks) {
        return DittoEnd.inOrder(hooks);
    }

    // Interrupts. The flag itself is set in a replay as in the recording; what is seen of it comes from the trace.

    public static boolean isInterrupted(Thread thread) {
        return input(IS_INTERRUPTED, thread.isInterrupted() ? 1 : 0) != 0;
    }

    public static boolean interrupted() {
        return input(INTERRUPTED, Thread.interrupted() ? 1 : 0) != 0;
    }

    // Reference.get, refersTo

    public static Object referent(java.lang.ref.Reference<?> reference) {
        return DittoReference.get(reference);
    }

    public static Object superReferent(java.lang.ref.Reference<?> reference) {
        return DittoReference.superGet(reference);
    }

    public static boolean refersTo(java.lang.ref.Reference<?> reference, Object object) {
        return DittoReference.refersTo(reference, object);
    }
}
