/* SPDX-License-Identifier: MIT */
package com.acme.deep;

/** One thread after the other, each with a deep recursion, and nothing shared but the result. */
public class Descent implements Runnable {
    static int deepest;

    static int down(int levels) {
        return levels == 0 ? 0 : 1 + down(levels - 1);
    }

    public void run() {
        int reached = down(400);
        deepest = reached;
    }

    public static void main(String[] arguments) throws InterruptedException {
        for (int i = 1; i <= 2; i++) {
            Thread diver = new Thread(new Descent(), "diver-" + i);
            diver.start();
            diver.join();
        }
    }
}
