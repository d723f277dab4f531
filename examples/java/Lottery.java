// SPDX-License-Identifier: MIT
/*
 * A lottery office: several counters issue tickets at the same time. A ticket's number is drawn, and
 * then registered under the name of the player. No number is issued twice.
 *
 * Bug patterns: non-atomic operation; wrong lock or no lock.
 * Where: Office.draw() leaves the number in a field, from where Office.register() takes it. The two
 *     calls are not one step; and they would not exclude each other anyway, for draw() locks the
 *     office and register() the register.
 * Symptom: if another counter draws in between, both register the same number, and the number drawn
 *     first belongs to nobody.
 * A failing run prints "number issued twice" and exits with status 1.
 *
 *     java Lottery [COUNTERS] [TICKETS]
 */
public class Lottery {
    static final int COUNTERS = 4;
    static final int TICKETS = 120;
    /** A power of two, for which the generator in draw() comes to every number once. */
    static final int NUMBERS = 4096;

    static class Office {
        private final int[] owners = new int[NUMBERS];
        private int drawn = 42;
        private int duplicates;
        private int duplicate;

        void draw() {
            synchronized (this) {
                drawn = (drawn * 1229 + 351) % NUMBERS;
            }
        }

        /** Returns the number that the player has from now on. */
        int register(int player) {
            synchronized (owners) {
                int number = drawn;
                if (owners[number] != 0) {
                    duplicates++;
                    duplicate = number;
                }
                owners[number] = player;
                return number;
            }
        }
    }

    static class Counter extends Thread {
        private final Office office;
        private final int number;
        private final int[] tickets;

        Counter(Office office, int number, int tickets) {
            super("counter-" + number);
            this.office = office;
            this.number = number;
            this.tickets = new int[tickets];
        }

        @Override
        public void run() {
            for (int i = 0; i < tickets.length; i++) {
                int player = number * 1000 + i;
                office.draw();
                tickets[i] = print(player, office.register(player));
            }
        }

        /** A ticket carries the number and a check code over number and player. */
        private int print(int player, int drawn) {
            int code = player;
            for (int digits = drawn; digits > 0; digits /= 10) {
                code = (code * 7 + digits % 10) % 9973;
            }
            return code * NUMBERS + drawn;
        }
    }

    static int argument(String[] args, int index, int otherwise) {
        return index < args.length ? Integer.parseInt(args[index]) : otherwise;
    }

    public static void main(String[] args) throws InterruptedException {
        int tickets = argument(args, 1, TICKETS);
        Office office = new Office();
        Counter[] counters = new Counter[argument(args, 0, COUNTERS)];
        if (counters.length * tickets > NUMBERS) {
            System.err.println("Lottery: there are only " + NUMBERS + " numbers");
            System.exit(2);
        }
        for (int i = 0; i < counters.length; i++) {
            counters[i] = new Counter(office, i + 1, tickets);
        }
        for (Counter counter : counters) {
            counter.start();
        }
        int check = 0;
        for (Counter counter : counters) {
            counter.join();
            for (int ticket : counter.tickets) {
                check = 31 * check + ticket;
            }
        }
        if (office.duplicates > 0) {
            System.out.println("number issued twice: " + office.duplicate + "; " + office.duplicates + " in all, of "
                    + counters.length * tickets + " tickets");
            System.exit(1);
        }
        System.out.println("issued " + counters.length * tickets + " tickets, all different, check " + check);
    }
}
