// SPDX-License-Identifier: MIT
package com.acme;

/**
 * Runners that get the baton one after the other, so that every recording has the same clocks; while main holds it, the
 * next runner waits for it.
 */
public class Relay {
    static final Object baton = new Object();
    static Account shared;
    static int[] laps = new int[3];

    static class Node {
        int x;
    }

    static class Runner extends Thread {
        private final Account account;
        private final int amount;

        Runner(String name, Account account, int amount) {
            super(name);
            this.account = account;
            this.amount = amount;
        }

        @Override
        public void run() {
            synchronized (baton) {
                for (int i = 0; i < 3; i++) {
                    account.deposit(amount);
                    laps[i] += amount;
                }
            }
        }
    }

    static int check(int value) {
        if (value > 100) {
            throw new IllegalStateException("too much");
        }
        return value * 2;
    }

    static int guarded(int value) {
        int result = -1;
        try {
            result = check(value);
        } catch (IllegalStateException e) {
            result = 0;
        }
        return result;
    }

    static void send(Runner runner, int extra) throws InterruptedException {
        synchronized (baton) {
            runner.start();
            shared.deposit(extra);
        }
        runner.join();
    }

    public static void main(String[] args) throws Exception {
        shared = new Account("main");
        Object vault = new Account.Vault("gold");
        Runner one = new Runner("runner-1", shared, 10);
        Runner two = new Runner("runner-2", shared, 100);
        Node node = new Node();
        node.x = laps.length;
        send(one, 1);
        if (args.length > 0) {
            System.out.println("ready");
            System.in.read();
        }
        send(two, 2);
        int low = guarded(21);
        int high = guarded(1000);
        double half = shared.share(2);
        Runnable last = () -> shared.deposit(low + 1);
        last.run();
        shared = null;
    }
}
