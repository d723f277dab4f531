// SPDX-License-Identifier: MIT
package java.lang;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * What rewritten classes call. The agent defines this class in java.base, from bytes that it carries, and registers the
 * native methods; natives.c has them. The hooks around accesses are native: a thread that waits for its turn in a
 * replay must not keep the collector from running. What stands in for a method of the JDK is written in Java, so that
 * its exceptions are those of the JDK.
 *
 * <p>Calls on threads that the engine does not know do what the original does.
 */
public final class DittoHooks {
    // The kinds of inputs; natives.c gives 1 to itself.
    private static final int WAIT = 2;
    private static final int SLEEP = 3;
    private static final int JOIN = 4;
    private static final int IS_ALIVE = 5;
    private static final int IS_INTERRUPTED = 6;
    private static final int INTERRUPTED = 7;

    // How a wait, sleep or join ended.
    private static final int DONE = 0;
    private static final int WAS_INTERRUPTED = 1;
    private static final int TIMED_OUT = 2;
    private static final int NOT_STARTED = 3;

    static {
        register();
    }

    private static final boolean REPLAY = isReplay();

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

    public static native void beforeLoad(Object object, int site);

    public static native void afterLoad(int site);

    public static native void beforeStore(Object object, int site);

    public static native void afterStore(int site);

    public static native void beforeStaticLoad(int site);

    public static native void afterStaticLoad(int site);

    public static native void beforeStaticStore(int site);

    public static native void afterStaticStore(int site);

    public static native void beforeArrayLoad(Object array, int index, int site);

    public static native void afterArrayLoad(int site);

    public static native void beforeArrayStore(Object array, int index, int site);

    public static native void afterArrayStore(int site);

    public static native void beforeAcquire(Object lock, int site);

    public static native void afterAcquire(Object lock, int site);

    public static native void beforeRelease(Object lock, int site);

    public static native void abandon();

    public static native void beginInit(int site);

    public static native void endInit(int site);

    /** On entry to Thread.dispatchUncaughtException. */
    static native void uncaught();

    public static Object same(Object object) {
        return object;
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
    private static native int beginWait(Object lock);

    /** Recording: the monitor is held again. */
    private static native void endWait(Object lock, int depth, int how);

    /** Replaying: lets the Java monitor go once. */
    private static native void leave(Object lock);

    /** Replaying: waits for the thread's turn, enters again, and answers how the recorded wait ended. */
    private static native int returnFromWait(Object lock, int depth, int locks);

    public static void waitOn(Object lock) throws InterruptedException {
        waitOn(lock, 0);
    }

    public static void waitOn(Object lock, long millis) throws InterruptedException {
        int depth = lock == null || millis < 0 || !Thread.holdsLock(lock) ? 0 : beginWait(lock);
        if (depth == 0) {
            lock.wait(millis);
        } else if (REPLAY) {
            int locks = 0;
            // A monitor that was entered again may be held once or more often in the eyes of the JVM.
            while (Thread.holdsLock(lock)) {
                leave(lock);
                locks++;
            }
            if (returnFromWait(lock, depth, locks) == WAS_INTERRUPTED)
                throw interruption();
        } else {
            int how = WAS_INTERRUPTED;
            try {
                lock.wait(millis);
                how = DONE;
            } finally {
                endWait(lock, depth, how);
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
            try {
                Thread.sleep(millis, nanos);
                how = DONE;
            } finally {
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
            try {
                thread.join(millis);
                how = thread.isAlive() ? TIMED_OUT : started ? DONE : NOT_STARTED;
            } finally {
                input(JOIN, how);
            }
        }
        if (how == DONE)
            joined(thread);
        return how;
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
}
