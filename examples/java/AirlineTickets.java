// SPDX-License-Identifier: MIT
/*
 * Ticket sales for one flight: several agencies sell at the same time. Together they have more
 * customers than the aircraft has seats, so an agency asks the flight before each sale.
 *
 * Bug pattern: non-atomic operation.
 * Where: Agency.serve() asks hasSeats() and then calls sell(). Each is synchronized, but the two
 *     together are not one step: between them another agency may have sold the last seat.
 * Symptom: the flight is overbooked.
 * A failing run prints "flight overbooked" and exits with status 1.
 *
 *     java AirlineTickets [AGENCIES] [SEATS]
 */
public class AirlineTickets {
    static final int AGENCIES = 4;
    static final int SEATS = 400;

    /** What the central reservation system knows about a flight. */
    static class Flight {
        private final int seats;
        private int sold;
        private long revenue;

        Flight(int seats) {
            this.seats = seats;
        }

        synchronized boolean hasSeats() {
            return sold < seats;
        }

        synchronized int sell(long price) {
            revenue += price;
            return ++sold;
        }

        synchronized int sold() {
            return sold;
        }

        synchronized long revenue() {
            return revenue;
        }
    }

    /** One agency with its own line of customers. */
    static class Agency implements Runnable {
        private final Flight flight;
        private final int code;
        private final int customers;
        private int tickets;
        private int turnedAway;
        private int controlDigits;

        Agency(Flight flight, int code, int customers) {
            this.flight = flight;
            this.code = code;
            this.customers = customers;
        }

        @Override
        public void run() {
            for (int customer = 0; customer < customers; customer++) {
                serve(customer);
            }
        }

        private void serve(int customer) {
            if (!flight.hasSeats()) {
                turnedAway++;
                return;
            }
            int ticket = flight.sell(quote(customer));
            tickets++;
            controlDigits += controlDigit(ticket);
        }

        /** Fares differ by weekday of booking and by customer group. */
        private long quote(int customer) {
            long base = 8_900 + 450L * ((customer + code) % 7);
            return customer % 5 == 0 ? base * 3 / 4 : base;
        }

        /** The last digit of a ticket number: the rest of its weighted digits modulo 7. */
        private int controlDigit(int ticket) {
            int sum = code;
            for (int rest = ticket, weight = 1; rest > 0; rest /= 10, weight += 2) {
                sum += rest % 10 * weight;
            }
            return sum % 7;
        }
    }

    static int argument(String[] args, int index, int otherwise) {
        return index < args.length ? Integer.parseInt(args[index]) : otherwise;
    }

    public static void main(String[] args) throws InterruptedException {
        int count = argument(args, 0, AGENCIES);
        int seats = argument(args, 1, SEATS);
        Flight flight = new Flight(seats);
        Agency[] agencies = new Agency[count];
        Thread[] threads = new Thread[count];
        for (int i = 0; i < count; i++) {
            agencies[i] = new Agency(flight, 40 + i, seats * 3 / 4);
            threads[i] = new Thread(agencies[i], "agency-" + (40 + i));
        }
        for (Thread thread : threads) {
            thread.start();
        }

        StringBuilder report = new StringBuilder();
        int turnedAway = 0;
        for (int i = 0; i < count; i++) {
            threads[i].join();
            Agency agency = agencies[i];
            turnedAway += agency.turnedAway;
            report.append(i == 0 ? "" : ", ").append("agency ").append(agency.code).append(" sold ")
                    .append(agency.tickets).append(" (control ").append(agency.controlDigits).append(')');
        }
        System.out.println(report);
        if (flight.sold() > seats) {
            System.out.println("flight overbooked: " + flight.sold() + " tickets for " + seats + " seats");
            System.exit(1);
        }
        System.out.println("flight closed: " + flight.sold() + " tickets for " + seats + " seats, "
                + turnedAway + " customers turned away, revenue " + flight.revenue());
    }
}
