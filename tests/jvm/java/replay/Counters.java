// SPDX-License-Identifier: MIT

/** Updates that get lost: in a field, a static, array elements, and one that is guarded and does not. */
public class Counters {
    static int shared;
    static volatile int[] slots = new int[25];
    static long wide;
    int field;
    int guarded;

    synchronized void guardedIncrement() {
        guarded++;
    }

    public static void main(String[] args) throws Exception {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 2000;
        Counters counters = new Counters();
        Thread[] threads = new Thread[3];
        for (int i = 0; i < threads.length; i++) {
            int seed = i;
            threads[i] = new Thread(() -> {
                for (int round = 0; round < rounds; round++) {
                    counters.field++;
                    shared++;
                    slots[(round + seed) % slots.length]++;
                    wide += 1L << 32;
                    if (round % 16 == 0)
                        counters.guardedIncrement();
                    if (round % 500 == 0)
                        System.out.println("thread " + seed + " round " + round + " sees " + shared);
                }
            }, "counter-" + i);
        }
        for (Thread thread : threads)
            thread.start();
        for (Thread thread : threads)
            thread.join();
        System.out.println("field " + counters.field + " shared " + shared + " wide " + wide + " guarded " + counters.guarded);
        for (int slot : slots)
            System.out.print(slot + " ");
        System.out.println();
    }
}
