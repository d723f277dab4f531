// SPDX-License-Identifier: MIT

/** Accesses that throw between their hooks, and threads that die of it. */
public class Throwing {
    int value;
    static int caught;

    static synchronized void count() {
        caught++;
    }

    static class Broken {
        static int value = fail();

        static int fail() {
            throw new RuntimeException("no value");
        }
    }

    public static void main(String[] args) throws Exception {
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            int id = i;
            threads[i] = new Thread(() -> {
                Throwing none = null;
                int[] three = new int[3];
                Object[] strings = new String[1];
                for (int n = 0; n < 100; n++) {
                    try {
                        switch (n % 5) {
                        case 0:
                            none.value++;
                            break;
                        case 1:
                            three[n] = 1;
                            break;
                        case 2:
                            strings[0] = three;
                            break;
                        case 3:
                            synchronized (none) {
                                count();
                            }
                            break;
                        default:
                            caught += Broken.value;
                        }
                    } catch (RuntimeException | NoClassDefFoundError | ExceptionInInitializerError e) {
                        count();
                    }
                }
                if (id % 2 == 0)
                    throw new IllegalStateException("thread " + id + " caught " + caught);
            }, "thrower " + i);
        }
        for (Thread thread : threads)
            thread.start();
        for (Thread thread : threads)
            thread.join();
        System.out.println("caught " + caught);
        if (args.length > 0)
            return;
        int[] empty = new int[0];
        System.out.println(empty[args.length]);
    }
}
