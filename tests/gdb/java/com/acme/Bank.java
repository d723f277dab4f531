// SPDX-License-Identifier: MIT
package com.acme;

public class Bank {
    static Account shared;

    static class Teller extends Thread {
        private final Account account;
        private final int amount;

        Teller(String name, Account account, int amount) {
            super(name);
            this.account = account;
            this.amount = amount;
        }

        @Override
        public void run() {
            for (int i = 0; i < 3; i++) {
                account.deposit(amount);
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

    public static void main(String[] args) throws InterruptedException {
        shared = new Account("main");
        Object vault = new Account.Vault("gold");
        Teller one = new Teller("teller-1", shared, 10);
        Teller two = new Teller("teller-2", shared, 100);
        one.start();
        two.start();
        one.join();
        two.join();
        int low = guarded(21);
        int high = guarded(1000);
        double half = shared.share(2);
        Runnable last = () -> shared.deposit(1);
        last.run();
        Object[] things = {vault, "text", Integer.valueOf(7), new int[] {1, 2, 3}, null};
        long end = shared.getBalance() + low + high + things.length;
        shared = null;
    }
}
