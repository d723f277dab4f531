// SPDX-License-Identifier: MIT
/*
 * A licence server: a few clients may use a product at the same time, the others wait until one of
 * them checks its licence in.
 *
 * Bug patterns: lost notify; dormancy.
 * Where: Client.useProduct() asks tryCheckOut() and, refused, goes to sleep in awaitLicence(). The
 *     monitor is free between the two. If the last licence comes back just then, nobody is asleep
 *     yet and the notify() is lost.
 * Symptom: the client sleeps although all licences are free, and if no other client comes after it,
 *     it sleeps for ever.
 * A failing run hangs: it prints nothing and does not end.
 *
 *     java Liveness [CLIENTS] [LICENCES] [SHIFTS]
 */
public class Liveness {
    static final int CLIENTS = 3;
    static final int LICENCES = 1;
    static final int SHIFTS = 30;
    static final int USES = 2;

    static class LicenceServer {
        private final int licences;
        private int inUse;
        private int refusals;
        private int served;

        LicenceServer(int licences) {
            this.licences = licences;
        }

        synchronized boolean tryCheckOut() {
            if (inUse == licences) {
                refusals++;
                return false;
            }
            inUse++;
            return true;
        }

        synchronized void awaitLicence() throws InterruptedException {
            wait();
        }

        synchronized void checkIn() {
            inUse--;
            served++;
            notify();
        }

        synchronized int served() {
            return served;
        }

        synchronized int refusals() {
            return refusals;
        }
    }

    static class Client extends Thread {
        private final LicenceServer server;
        private final int[] drawing;
        private int result;

        Client(LicenceServer server, int number) {
            super("client-" + number);
            this.server = server;
            this.drawing = new int[100 + 30 * number];
        }

        @Override
        public void run() {
            try {
                for (int i = 0; i < USES; i++) {
                    prepare(i);
                    useProduct();
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException("nobody interrupts a client", e);
            }
        }

        private void prepare(int use) {
            for (int i = 0; i < drawing.length; i++) {
                drawing[i] = i * (use + 3) % 97;
            }
        }

        private void useProduct() throws InterruptedException {
            while (!server.tryCheckOut()) {
                server.awaitLicence();
            }
            for (int line : drawing) {
                result = 31 * result + line;
            }
            server.checkIn();
        }
    }

    static int argument(String[] args, int index, int otherwise) {
        return index < args.length ? Integer.parseInt(args[index]) : otherwise;
    }

    public static void main(String[] args) throws InterruptedException {
        Client[] clients = new Client[argument(args, 0, CLIENTS)];
        LicenceServer server = new LicenceServer(argument(args, 1, LICENCES));
        int shifts = argument(args, 2, SHIFTS);
        int drawn = 0;
        for (int shift = 0; shift < shifts; shift++) {
            for (int i = 0; i < clients.length; i++) {
                clients[i] = new Client(server, i);
            }
            for (Client client : clients) {
                client.start();
            }
            for (Client client : clients) {
                client.join();
                drawn = 31 * drawn + client.result;
            }
        }
        if (server.served() != clients.length * USES * shifts) {
            throw new AssertionError("served " + server.served());
        }
        System.out.println("served " + server.served() + " requests in " + shifts + " shifts, drawing " + drawn
                + ", " + server.refusals() + " refusals");
    }
}
