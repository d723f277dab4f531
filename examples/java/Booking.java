// SPDX-License-Identifier: MIT
/*
 * The front desk of a hotel: clerks book rooms for the nights of a season. Each request names the
 * first night and the length of the stay, and is given the first room that is free on all nights.
 *
 * Bug pattern: non-atomic operation.
 * Where: Clerk.book() looks for a free room with Calendar.isFree() and then writes the guest down
 *     with Calendar.reserve(). Each takes the calendar's lock, but lets go of it in between.
 * Symptom: two guests hold a confirmation for the same room and night; the calendar shows only the
 *     one who was written down last.
 * A failing run prints "double booking" with room, night and guests, and exits with status 1.
 *
 *     java Booking [CLERKS] [REQUESTS]
 */
public class Booking {
    static final int CLERKS = 3;
    static final int REQUESTS = 60;
    static final int ROOMS = 24;
    static final int NIGHTS = 30;
    static final int NOBODY = 0;

    /** Who sleeps in which room on which night. */
    static class Calendar {
        private final int[][] guests = new int[ROOMS][NIGHTS];

        synchronized boolean isFree(int room, int arrival, int departure) {
            for (int night = arrival; night < departure; night++) {
                if (guests[room][night] != NOBODY) {
                    return false;
                }
            }
            return true;
        }

        synchronized void reserve(int room, int arrival, int departure, int guest) {
            for (int night = arrival; night < departure; night++) {
                guests[room][night] = guest;
            }
        }

        synchronized int guest(int room, int night) {
            return guests[room][night];
        }
    }

    /** The slip a guest takes home. */
    static class Confirmation {
        final int guest;
        final int room;
        final int arrival;
        final int departure;

        Confirmation(int guest, int room, int arrival, int departure) {
            this.guest = guest;
            this.room = room;
            this.arrival = arrival;
            this.departure = departure;
        }
    }

    static class Clerk extends Thread {
        private final Calendar calendar;
        private final int desk;
        private final Confirmation[] confirmations;
        private int declined;

        Clerk(Calendar calendar, int desk, int requests) {
            super("clerk-" + desk);
            this.calendar = calendar;
            this.desk = desk;
            this.confirmations = new Confirmation[requests];
        }

        @Override
        public void run() {
            for (int i = 0; i < confirmations.length; i++) {
                int arrival = (i * 17 + desk * 11) % NIGHTS;
                int departure = Math.min(arrival + 1 + (i + desk) % 4, NIGHTS);
                confirmations[i] = book(desk * 1000 + i, arrival, departure);
                if (confirmations[i] == null) {
                    declined++;
                }
            }
        }

        private Confirmation book(int guest, int arrival, int departure) {
            for (int room = 0; room < ROOMS; room++) {
                if (calendar.isFree(room, arrival, departure)) {
                    calendar.reserve(room, arrival, departure, guest);
                    return new Confirmation(guest, room, arrival, departure);
                }
            }
            return null;
        }
    }

    static int argument(String[] args, int index, int otherwise) {
        return index < args.length ? Integer.parseInt(args[index]) : otherwise;
    }

    /** Every guest must find the calendar as the confirmation says. */
    static int check(Calendar calendar, Clerk clerk) {
        int problems = 0;
        for (Confirmation slip : clerk.confirmations) {
            for (int night = slip == null ? NIGHTS : slip.arrival; night < NIGHTS && night < slip.departure; night++) {
                int found = calendar.guest(slip.room, night);
                if (found != slip.guest) {
                    System.out.println("double booking: room " + slip.room + ", night " + night
                            + ": confirmed to guest " + slip.guest + ", given to guest " + found);
                    problems++;
                }
            }
        }
        return problems;
    }

    public static void main(String[] args) throws InterruptedException {
        Calendar calendar = new Calendar();
        Clerk[] clerks = new Clerk[argument(args, 0, CLERKS)];
        for (int i = 0; i < clerks.length; i++) {
            clerks[i] = new Clerk(calendar, i + 1, argument(args, 1, REQUESTS));
        }
        for (Clerk clerk : clerks) {
            clerk.start();
        }
        int problems = 0;
        int declined = 0;
        for (Clerk clerk : clerks) {
            clerk.join();
            declined += clerk.declined;
        }
        for (Clerk clerk : clerks) {
            problems += check(calendar, clerk);
        }
        if (problems > 0) {
            System.exit(1);
        }
        System.out.println("all bookings hold, " + declined + " requests declined");
    }
}
