// SPDX-License-Identifier: MIT

/** Two threads, two locks, the wrong order; some rounds go well. */
public class Deadlock {
    static class Account {
        int balance = 100;
    }

    static int transfers;

    static void transfer(Account from, Account to) {
        synchronized (from) {
            from.balance--;
            synchronized (to) {
                to.balance++;
                transfers++;
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Account a = new Account(), b = new Account();
        Thread one = new Thread(() -> {
            for (;;)
                transfer(a, b);
        }, "one");
        Thread two = new Thread(() -> {
            for (;;)
                transfer(b, a);
        }, "two");
        one.start();
        two.start();
        System.out.println("started");
        one.join();
    }
}
