// SPDX-License-Identifier: MIT

/**
 * Threads that run out of stack in the middle of anything, catch that and go on. Where it happens is not the same in
 * every run, so this is for recording alone.
 */
public class Overflow {
    static class Node {
        int count;
        long sum;
        int[] numbers = new int[3];
    }

    static final Node shared = new Node();
    static int calls;

    static int deep(Node node, int depth) {
        try {
            node.count++;
            calls++;
            node.numbers[depth % 3] = node.count;
            return deep(node, depth + 1) + node.count;
        } finally {
            node.sum += calls;
        }
    }

    static int deeper(Node node, int depth) {
        node.count++;
        node.numbers[depth % 3] = node.count;
        node.sum += node.numbers[(depth + 1) % 3];
        return deeper(node, depth + 1) + node.count;
    }

    /** The first access to an array comes where there is next to no stack left. */
    static void first(int[] array) {
        try {
            first(array);
        } catch (StackOverflowError e) {
            array[0]++;
        }
    }

    static void overflow(int round) {
        for (int i = 0; i < 3; i++)
            try {
                if (round % 2 == 0)
                    deep(shared, round);
                else
                    deeper(shared, round);
            } catch (StackOverflowError e) {
                shared.count++;
            }
        calls++;
    }

    static void run(int round, Runnable code) throws InterruptedException {
        boolean[] ended = new boolean[1];
        Thread thread = new Thread(null, () -> {
            code.run();
            ended[0] = true;
        }, "overflow", 150_000 + 1000L * round);
        thread.start();
        while (thread.isAlive()) {
            shared.count++;
            shared.numbers[round % 3]++;
            calls++;
        }
        thread.join();
        if (!ended[0])
            throw new AssertionError("round " + round);
    }

    public static void main(String[] args) throws InterruptedException {
        int[] array = new int[1];
        Thread thread = new Thread(null, () -> first(array), "first", 150_000);
        thread.start();
        thread.join();
        for (int i = 0; i < 20; i++) {
            int round = i;
            run(round, () -> overflow(round));
        }
        System.out.println("all caught");
    }
}
