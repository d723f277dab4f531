// SPDX-License-Identifier: MIT
import java.util.logging.Logger;

/** Hooks that race with threads that still run, started by the JVM's end: the last thread's, or a signal's. */
public class ShutdownHooks {
    static volatile long ticks;
    static int order;

    static void add(String name) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            long seen = ticks;
            synchronized (ShutdownHooks.class) {
                System.out.println(name + " is number " + ++order + " and sees " + seen);
            }
            try {
                Runtime.getRuntime().addShutdownHook(new Thread());
            } catch (IllegalStateException e) {
                System.out.println(name + ": " + e.getMessage());
            }
        }, name));
    }

    public static void main(String[] args) throws Exception {
        boolean signal = args[0].equals("signal");
        Thread[] adders = new Thread[3];
        for (int i = 0; i < adders.length; i++) {
            String name = "hook " + i;
            adders[i] = new Thread(() -> {
                add(name + " a");
                add(name + " b");
            });
            adders[i].start();
        }
        for (Thread adder : adders)
            adder.join();
        Thread ticker = new Thread(() -> {
            while (true)
                ticks++;
        });
        ticker.setDaemon(!signal);
        ticker.start();
        // The JDK's logging adds a hook of its own.
        Logger.getLogger("hooks").setUseParentHandlers(false);
        System.out.println("begun");
        while (ticks < (args[0].equals("long") ? 20_000_000 : 1000))
            Thread.yield();
        System.out.println("main ends");
        if (signal)
            new ProcessBuilder("kill", "-TERM", String.valueOf(ProcessHandle.current().pid())).start();
    }
}
