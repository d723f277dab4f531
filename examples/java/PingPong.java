// SPDX-License-Identifier: MIT
/*
 * The health check of a cluster: each pinger sends pings over a link that all share and counts the
 * pongs. Every so often a maintainer renews the link's connection.
 *
 * Bug pattern: wrong lock or no lock.
 * Where: Maintainer.renew() holds the lock of the link while there is no connection, as it should.
 *     Pinger.ping() locks too, but the pinger itself, which keeps nobody out.
 * Symptom: a pinger finds a connection, the maintainer takes it away, and the pinger sends its ping
 *     over null.
 * A failing run prints "health check failed" with a NullPointerException and exits with status 1.
 *
 *     java PingPong [PINGERS] [PINGS]
 */
public class PingPong {
    static final int PINGERS = 2;
    static final int PINGS = 400;

    static class Connection {
        private final int key;

        Connection(int key) {
            this.key = key;
        }

        /** The pong to a ping. */
        int send(int ping) {
            return ping ^ key ^ key;
        }
    }

    static class Link {
        Connection connection = new Connection(1);
        boolean closed;

        boolean isUp() {
            return connection != null;
        }

        int send(int ping) {
            return connection.send(ping);
        }
    }

    static class Pinger extends Thread {
        private final Link link;
        private final int pings;
        private int pongs;
        private int skipped;
        private RuntimeException failure;

        Pinger(Link link, int number, int pings) {
            super("pinger-" + number);
            this.link = link;
            this.pings = pings;
        }

        @Override
        public void run() {
            try {
                for (int i = 0; i < pings; i++) {
                    ping(i);
                }
            } catch (RuntimeException e) {
                failure = e;
            }
        }

        private synchronized void ping(int number) {
            if (!link.isUp()) {
                skipped++;
            } else if (link.send(number) == number) {
                pongs++;
            }
        }
    }

    /** Renews the connection until the link is closed: a key is used for a short time only. */
    static class Maintainer extends Thread {
        private final Link link;
        private int key = 1;
        private int renewals;

        Maintainer(Link link) {
            super("maintainer");
            this.link = link;
        }

        @Override
        public void run() {
            while (renew()) {
                renewals++;
            }
        }

        private boolean renew() {
            int next = nextKey();
            synchronized (link) {
                if (link.closed) {
                    return false;
                }
                link.connection = null;
                link.connection = new Connection(next);
                return true;
            }
        }

        private int nextKey() {
            for (int i = 0; i < 2000; i++) {
                key = (key << 1) ^ ((key >>> 31) * 0x04C11DB7);
            }
            return key;
        }
    }

    static int argument(String[] args, int index, int otherwise) {
        return index < args.length ? Integer.parseInt(args[index]) : otherwise;
    }

    public static void main(String[] args) throws InterruptedException {
        Link link = new Link();
        Maintainer maintainer = new Maintainer(link);
        Pinger[] pingers = new Pinger[argument(args, 0, PINGERS)];
        for (int i = 0; i < pingers.length; i++) {
            pingers[i] = new Pinger(link, i, argument(args, 1, PINGS));
        }
        maintainer.start();
        for (Pinger pinger : pingers) {
            pinger.start();
        }
        int pongs = 0;
        int skipped = 0;
        RuntimeException failure = null;
        for (Pinger pinger : pingers) {
            pinger.join();
            pongs += pinger.pongs;
            skipped += pinger.skipped;
            failure = pinger.failure != null ? pinger.failure : failure;
        }
        synchronized (link) {
            link.closed = true;
        }
        maintainer.join();
        if (failure != null) {
            System.out.println("health check failed after " + pongs + " pongs: " + failure.getClass().getName());
            System.exit(1);
        }
        System.out.println("healthy: " + pongs + " pongs, " + skipped + " skipped, "
                + (maintainer.renewals > 0 ? "link renewed" : "link as it was"));
    }
}
