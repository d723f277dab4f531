// SPDX-License-Identifier: MIT
package java.lang;

import static java.lang.DittoHooks.*;

import java.lang.invoke.MethodHandle;
import java.lang.reflect.Constructor;
import java.lang.reflect.Member;
import java.lang.reflect.Modifier;

/**
 * What methods of the JDK call whose results are inputs; pauses.c says which. Each ends the pause of the method that it
 * stands in.
 */
public final class DittoInputs {
    // The kinds of inputs; inputs.h has all.
    private static final int MILLIS = 33;
    private static final int SEED = 41;
    private static final int SECURE_RANDOM = 42;
    private static final int THREAD_ID = 43;
    private static final int THREAD_NUMBER = 44;

    private DittoInputs() {
    }

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
        if (!DittoQuick.REPLAY) {
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

    /** When the JVM was started, or since when it runs. */
    public static long jvmTime(long millis) {
        resume();
        return input(MILLIS, millis);
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

    public static void referenceMade(java.lang.ref.Reference<?> reference) {
        if (begun)
            DittoReference.made(reference);
    }

    /**
     * Before the JDK initializes a class, perhaps in a pause: the class, what reflection is about to call, or the handle
     * of a constructor.
     */
    public static void willInitialize(Object what) {
        if (!begun || !DittoQuick.REPLAY || self() == 0)
            return;
        Class<?> type = null;
        if (what instanceof Class)
            type = (Class<?>) what;
        else if (what instanceof MethodHandle)
            // Of a DirectMethodHandle$Constructor; its type may say a superclass.
            type = (Class<?>) DittoQuick.U.getReference(what, DittoQuick.U.objectFieldOffset(what.getClass(), "instanceClass"));
        else if (what instanceof Constructor || Modifier.isStatic(((Member) what).getModifiers()))
            type = ((Member) what).getDeclaringClass();
        if (type != null && DittoQuick.U.shouldBeInitialized(type))
            awaitType(type);
    }

    /** Before a thread competes for the right to end the program. */
    public static void willExit() {
        if (begun && DittoQuick.REPLAY)
            awaitExit();
    }

    /** It has got it: in the monitor that nobody leaves. */
    public static void exits() {
        if (begun && !DittoQuick.REPLAY)
            noteExit();
    }
}
