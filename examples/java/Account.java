// SPDX-License-Identifier: MIT
/*
 * A branch of a bank: tellers deposit, withdraw and transfer on the same accounts all day, and in
 * the evening the books are closed.
 *
 * Bug pattern: wrong lock or no lock.
 * Where: transferTo() is synchronized, so it holds the lock of the account it takes from; but it
 *     also changes the balance of the other account, and that lock it does not hold.
 * Symptom: two tellers update one balance at the same time and one update is lost, so that money
 *     appears or vanishes.
 * A failing run prints "books do not balance" with both sums and exits with status 1.
 *
 *     java Account [TELLERS] [TRANSACTIONS]
 */
public class Account {
    static final int TELLERS = 3;
    static final int TRANSACTIONS = 1200;
    static final int ACCOUNTS = 8;
    static final long OPENING_BALANCE = 10_000;

    private final int number;
    private long balance;

    Account(int number, long balance) {
        this.number = number;
        this.balance = balance;
    }

    synchronized long balance() {
        return balance;
    }

    synchronized void deposit(long amount) {
        balance += amount;
    }

    synchronized boolean withdraw(long amount) {
        if (amount > balance) {
            return false;
        }
        balance -= amount;
        return true;
    }

    synchronized boolean transferTo(Account other, long amount) {
        if (amount > balance) {
            return false;
        }
        balance -= amount;
        other.balance += amount;
        return true;
    }

    /** Works through the slips in its tray, and keeps track of the cash that came in and went out. */
    static class Teller extends Thread {
        private final Account[] accounts;
        private final int transactions;
        private int nextSlip;
        private long cash;
        private int refused;

        Teller(int number, Account[] accounts, int transactions) {
            super("teller-" + number);
            this.accounts = accounts;
            this.transactions = transactions;
            this.nextSlip = 7919 * (number + 1);
        }

        /** The slips are the same in every run: a small generator stands for the customers. */
        private int slip(int bound) {
            nextSlip = nextSlip * 1_103_515_245 + 12_345;
            return (nextSlip >>> 16) % bound;
        }

        @Override
        public void run() {
            for (int i = 0; i < transactions; i++) {
                Account account = accounts[slip(accounts.length)];
                long amount = 1 + slip(200);
                switch (slip(4)) {
                    case 0:
                        account.deposit(amount);
                        cash += amount;
                        break;
                    case 1:
                        if (account.withdraw(amount)) {
                            cash -= amount;
                        } else {
                            refused++;
                        }
                        break;
                    default:
                        Account other = accounts[slip(accounts.length)];
                        if (other.number != account.number && !account.transferTo(other, amount)) {
                            refused++;
                        }
                        break;
                }
            }
        }
    }

    static int argument(String[] args, int index, int otherwise) {
        return index < args.length ? Integer.parseInt(args[index]) : otherwise;
    }

    public static void main(String[] args) throws InterruptedException {
        int transactions = argument(args, 1, TRANSACTIONS);
        Account[] accounts = new Account[ACCOUNTS];
        for (int i = 0; i < accounts.length; i++) {
            accounts[i] = new Account(1000 + i, OPENING_BALANCE);
        }
        Teller[] tellers = new Teller[argument(args, 0, TELLERS)];
        for (int i = 0; i < tellers.length; i++) {
            tellers[i] = new Teller(i, accounts, transactions);
        }
        for (Teller teller : tellers) {
            teller.start();
        }

        long expected = ACCOUNTS * OPENING_BALANCE;
        int refused = 0;
        for (Teller teller : tellers) {
            teller.join();
            expected += teller.cash;
            refused += teller.refused;
        }
        long total = 0;
        for (Account account : accounts) {
            total += account.balance();
        }
        if (total != expected) {
            System.out.println("books do not balance: accounts hold " + total + ", should be " + expected);
            System.exit(1);
        }
        System.out.println("books balance: " + total + ", " + refused + " slips refused");
    }
}
