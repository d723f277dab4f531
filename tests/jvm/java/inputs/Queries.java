// SPDX-License-Identifier: MIT

/** What the JVM says of itself, of its process, and of threads. */
public class Queries {
    public static void main(String[] arguments) throws Exception {
        Runtime runtime = Runtime.getRuntime();
        System.out.println(runtime.availableProcessors() + " " + runtime.freeMemory() + " " + runtime.totalMemory() + " "
                + runtime.maxMemory() + " " + ProcessHandle.current().pid());
        System.out.println(System.getenv("DITTO_TEST_NOT_KEPT") + " " + System.getenv("TEST_KEPT") + " "
                + System.getProperty("user.name") + " " + System.getProperty("user.dir"));
        System.out.println(System.getProperty("user.timezone") + " " + java.util.TimeZone.getDefault().getID() + " "
                + System.getProperty("user.timezone"));
        ProcessHandle.Info info = ProcessHandle.current().info();
        System.out.println(java.lang.management.ManagementFactory.getRuntimeMXBean().getName().split("@")[0] + " "
                + info.startInstant() + " " + info.user() + " "
                + java.lang.management.ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime());
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> {
                for (int j = 0; j < 20; j++) {
                    Thread thread = new Thread(() -> {
                    });
                    System.out.println(thread.getName() + " " + thread.getId());
                }
            });
            threads[i].start();
        }
        for (Thread thread : threads)
            thread.join();
    }
}
