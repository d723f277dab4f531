// SPDX-License-Identifier: MIT

/** Ends with threads running, in several ways: exit, halt, exit by another thread or by whoever is first, only daemons left. */
public class Exits {
    static volatile long ticks;
    static volatile boolean go;

    static void spin(String name, boolean daemon) {
        Thread thread = new Thread(() -> {
            for (int i = 1;; i++) {
                ticks++;
                if (i % 1000 == 0)
                    System.out.println(name + " " + i + " " + ticks);
            }
        }, name);
        thread.setDaemon(daemon);
        thread.start();
    }

    public static void main(String[] args) throws Exception {
        String how = args[0];
        if (!how.equals("daemon"))
            Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook sees " + ticks)));
        spin("a", how.equals("daemon"));
        spin("b", how.equals("daemon"));
        while (ticks < 3000)
            Thread.yield();
        switch (how) {
        case "exit":
            System.exit(7);
        case "halt":
            Runtime.getRuntime().halt(9);
        case "other":
            new Thread(() -> System.exit(11)).start();
            break;
        case "race":
            for (int i = 20; i < 24; i++) {
                int status = i;
                new Thread(() -> System.exit(status)).start();
            }
            System.exit(24);
        case "throw":
            new Thread(() -> {
                throw new IllegalStateException("at " + ticks);
            }).start();
            Thread.sleep(20);
            System.exit(13);
        default:
            System.out.println("main ends at " + ticks);
        }
    }
}
