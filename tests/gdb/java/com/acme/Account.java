// SPDX-License-Identifier: MIT
package com.acme;

class Account {
    static int count;
    private final String name;
    private long balance;
    private final int[] history = new int[4];
    private int used;

    Account(String name) {
        this.name = name;
        count++;
    }

    void deposit(int amount) {
        long old = balance;
        long sum = old + amount;
        balance = sum;
        remember(amount);
    }

    synchronized void remember(int amount) {
        history[used % history.length] = amount;
        used = used + 1;
    }

    long getBalance() {
        return balance;
    }

    double share(int parts) {
        return (double) balance / parts;
    }

    static class Vault extends Account {
        private boolean open = true;
        private char letter = 'V';

        Vault(String name) {
            super(name);
        }
    }
}
