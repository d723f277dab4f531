// SPDX-License-Identifier: MIT
package java.lang;

import static java.lang.DittoHooks.*;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The JVM's end, which starts the threads that the program has given to Runtime.addShutdownHook.
 *
 * <p>Who starts them is a thread that has called exit, or one of the JVM's: the last that is left, or one that a signal
 * has begun. The JVM's are not known to the engine, and become so here. No signal comes in a replay: there a thread of
 * this class does what the recorded one did.
 */
final class DittoEnd extends Thread {
    // The kind of input; inputs.h has all.
    private static final int SHUTDOWN_HOOK = 10;

    /** The thread that ends a JVM whose last thread has ended has this name. */
    private static final String LAST = "DestroyJavaVM";

    /** Of the hooks that have been started. */
    private static Thread[] ofTheJdk = {};

    private final int status;

    private DittoEnd(String name, int status) {
        super(null, null, name, 0, false);
        this.status = status;
    }

    /** When the program is about to begin. */
    static void begin() {
        String name = DittoQuick.REPLAY ? adoptedName() : null;
        if (name == null || name.equals(LAST))
            return;
        DittoHooks.pause();
        try {
            new DittoEnd(name, recordedStatus()).start();
            awaitAdoption();
        } finally {
            DittoHooks.resume();
        }
    }

    /** None is there if the recording ended before its hooks did, and then none is needed. */
    private static int recordedStatus() {
        try {
            String status = setting("exit-status", null);
            return status == null ? 0 : Integer.parseInt(status);
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    @Override
    public void run() {
        if (!adopt(this))
            return;
        awaitTurn();
        // Not Shutdown.exit(), which may log that, and be the first to log anything: that was before the thread was known.
        Shutdown.shutdown();
        Runtime.getRuntime().halt(status);
    }

    /** An acquisition of the monitor under which hooks are added: what was added before comes before. */
    private static void awaitTurn() {
        try {
            ApplicationShutdownHooks.remove(null);
        } catch (NullPointerException | IllegalStateException e) {
            // As expected: it has done nothing else.
        }
    }

    /** Instead of the method of that name. */
    static void runHooks() {
        if (!isKnown() && adopt(Thread.currentThread())) {
            DittoInputs.exits();
            awaitTurn();
        }
        ApplicationShutdownHooks.runHooks();
        DittoHooks.pause();
        try {
            for (Thread hook : ofTheJdk)
                hook.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            DittoHooks.resume();
        }
    }

    /** Hooks as that of java.util.logging are added by whoever uses the JDK first, and run nothing of the program's. */
    private static boolean isOfTheJdk(Thread hook) {
        return hook.getClass() != Thread.class && hook.getClass().getClassLoader() == null;
    }

    /** Starts the JDK's own, unknown, and answers the others. */
    private static Thread[] startOthers(Thread[] hooks) {
        DittoHooks.pause();
        try {
            List<Thread> started = new ArrayList<>(), others = new ArrayList<>();
            for (Thread hook : hooks)
                (isOfTheJdk(hook) ? started : others).add(hook);
            ofTheJdk = started.toArray(ofTheJdk);
            for (Thread hook : ofTheJdk)
                hook.start();
            return others.toArray(new Thread[0]);
        } finally {
            DittoHooks.resume();
        }
    }

    /**
     * The program's hooks in the order in which they are to be started. That is the order of their identity hashes, which
     * are others in each run: so it is an input, as places in the order in which the threads were made.
     */
    static Set<Thread> inOrder(IdentityHashMap<Thread, Thread> hooks) {
        if (!isKnown())
            return hooks.keySet();
        mute();
        try {
            Set<Thread> ordered = new LinkedHashSet<>();
            Thread[] found = startOthers(hooks.keySet().toArray(new Thread[0]));
            Thread[] made = byAge(found);
            for (Thread hook : found) {
                int place = 0;
                while (made[place] != hook)
                    place++;
                place = (int) input(SHUTDOWN_HOOK, place);
                if (place >= 0 && place < made.length)
                    ordered.add(made[place]);
            }
            // Whatever the trace says, each is started once.
            for (Thread hook : made)
                ordered.add(hook);
            return ordered;
        } finally {
            unmute();
        }
    }

    private static Thread[] byAge(Thread[] threads) {
        long id = DittoQuick.U.objectFieldOffset(Thread.class, "tid");
        Thread[] sorted = threads.clone();
        for (int i = 1; i < sorted.length; i++)
            for (int j = i; j > 0 && DittoQuick.U.getLong(sorted[j - 1], id) > DittoQuick.U.getLong(sorted[j], id); j--) {
                Thread older = sorted[j];
                sorted[j] = sorted[j - 1];
                sorted[j - 1] = older;
            }
        return sorted;
    }
}
