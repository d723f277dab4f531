// SPDX-License-Identifier: MIT

/** Computes for long without an event; says half a line before and the rest after it. */
class Thinking {
    static long seed = 1;

    static long compute(long rounds) {
        long value = seed;
        for (long i = 0; i < rounds; i++)
            value = value * 6364136223846793005L + 1442695040888963407L;
        return value;
    }

    public static void main(String[] args) throws InterruptedException {
        long rounds = Long.parseLong(args[0]);
        Thread thread = new Thread(() -> {
            System.out.print("thinking ...");
            System.out.flush();
            long value = compute(rounds);
            System.out.println(" done");
            seed = value;
        });
        thread.start();
        if (args.length > 1) {
            // Long enough for the thread to end; a replay is here at once.
            while (thread.isAlive())
                Thread.sleep(100);
            System.exit(5);
        }
        thread.join();
        System.out.println(seed);
    }
}
