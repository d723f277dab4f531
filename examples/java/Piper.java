// SPDX-License-Identifier: MIT
/*
 * A shuttle of small aircraft: passengers board until all seats are taken, the pilot flies them over
 * and comes back for the next ones. There are exactly enough flights for all passengers.
 *
 * Bug pattern: condition for wait; deadlock.
 * Where: Aircraft.board() tests whether the aircraft is full with if and not with while. After a
 *     flight everybody at the gate is woken. If there are more of them than seats, some find the
 *     aircraft full again; these do not go back to the gate, but leave the airport.
 * Symptom: their seats on the last flight stay empty, and the pilot waits for them for ever.
 * A failing run hangs: it prints nothing and does not end.
 *
 *     java Piper [FLIGHTS] [SEATS]
 */
public class Piper {
    static final int FLIGHTS = 4;
    static final int SEATS = 3;

    static class Aircraft {
        private final int[] seats;
        private int boarded;

        Aircraft(int seats) {
            this.seats = new int[seats];
        }

        /** Takes a seat, as soon as there is one. */
        synchronized boolean board(int passenger) throws InterruptedException {
            if (boarded == seats.length) {
                wait();
            }
            if (boarded == seats.length) {
                return false;
            }
            seats[boarded++] = passenger;
            if (boarded == seats.length) {
                notifyAll();
            }
            return true;
        }

        /** Flies as soon as the aircraft is full; returns the sum of the ticket numbers. */
        synchronized int fly() throws InterruptedException {
            while (boarded < seats.length) {
                wait();
            }
            int sum = 0;
            for (int passenger : seats) {
                sum += passenger;
            }
            boarded = 0;
            notifyAll();
            return sum;
        }
    }

    static class Pilot extends Thread {
        private final Aircraft aircraft;
        private final int flights;
        private int flown;

        Pilot(Aircraft aircraft, int flights) {
            super("pilot");
            this.aircraft = aircraft;
            this.flights = flights;
        }

        @Override
        public void run() {
            try {
                for (int i = 0; i < flights; i++) {
                    flown += aircraft.fly();
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException("nobody interrupts a pilot", e);
            }
        }
    }

    static class Passenger extends Thread {
        private final Aircraft aircraft;
        private final int ticket;
        private int checked;
        private boolean travelled;

        Passenger(Aircraft aircraft, int ticket) {
            super("passenger-" + ticket);
            this.aircraft = aircraft;
            this.ticket = ticket;
        }

        @Override
        public void run() {
            try {
                passSecurity();
                travelled = aircraft.board(ticket);
            } catch (InterruptedException e) {
                throw new IllegalStateException("nobody interrupts a passenger", e);
            }
        }

        /** Takes some a little longer than others. */
        private void passSecurity() {
            for (int i = 0; i < 100 * (ticket * 7 % 5); i++) {
                checked += i ^ ticket;
            }
        }
    }

    static int argument(String[] args, int index, int otherwise) {
        return index < args.length ? Integer.parseInt(args[index]) : otherwise;
    }

    public static void main(String[] args) throws InterruptedException {
        int flights = argument(args, 0, FLIGHTS);
        int seats = argument(args, 1, SEATS);
        Aircraft aircraft = new Aircraft(seats);
        Pilot pilot = new Pilot(aircraft, flights);
        Passenger[] passengers = new Passenger[flights * seats];
        pilot.start();
        for (int i = 0; i < passengers.length; i++) {
            passengers[i] = new Passenger(aircraft, i + 1);
            passengers[i].start();
        }
        pilot.join();
        int expected = 0;
        int travelled = 0;
        for (Passenger passenger : passengers) {
            passenger.join();
            expected += passenger.ticket;
            travelled += passenger.travelled ? 1 : 0;
        }
        if (pilot.flown != expected) {
            throw new AssertionError("tickets add up to " + pilot.flown + ", should be " + expected);
        }
        System.out.println(flights + " flights, " + travelled + " passengers, all tickets accounted for");
    }
}
