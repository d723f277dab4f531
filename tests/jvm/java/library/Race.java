// SPDX-License-Identifier: MIT

/** Runs some threads at once and prints what each has seen: what that is depends on their order. */
final class Race {
    interface Body {
        void run(int me, StringBuilder seen) throws Exception;
    }

    private Race() {
    }

    static void run(int count, Body body) throws InterruptedException {
        Thread[] threads = new Thread[count];
        StringBuilder[] seen = new StringBuilder[count];
        for (int i = 0; i < count; i++) {
            int me = i;
            seen[i] = new StringBuilder();
            threads[i] = new Thread(() -> {
                try {
                    body.run(me, seen[me]);
                } catch (Exception e) {
                    seen[me].append(e.getClass().getName());
                }
            });
        }
        for (Thread thread : threads)
            thread.start();
        for (Thread thread : threads)
            thread.join();
        for (StringBuilder each : seen)
            System.out.println(each);
    }

    /** Something to do between two steps. */
    static int work(int amount) {
        int value = amount;
        for (int i = 0; i < amount * 50; i++)
            value = value * 31 + i;
        return value;
    }
}
