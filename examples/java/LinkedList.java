// SPDX-License-Identifier: MIT
/*
 * The waiting list of a print server: clients submit jobs, and the list keeps them in the order of
 * their deadlines. It is a linked list of the server's own.
 *
 * Bug pattern: non-atomic operation.
 * Where: insert() looks up the place of a job with before(), which is synchronized, and links the
 *     job in with link(), which is synchronized too. In between another client may have linked a
 *     job in at the same place.
 * Symptom: the list is out of order: a job stands before one that is due earlier.
 *     A client who looks for its last job stops too early and does not find it.
 * A failing run prints "list out of order" and exits with status 1.
 *
 *     java LinkedList [CLIENTS] [JOBS]
 */
public class LinkedList {
    static final int CLIENTS = 3;
    static final int JOBS = 120;

    private static class Node {
        final int deadline;
        final int job;
        Node next;

        Node(int deadline, int job) {
            this.deadline = deadline;
            this.job = job;
        }
    }

    /** Comes before all jobs and stays there. */
    private final Node head = new Node(Integer.MIN_VALUE, -1);
    private int size;

    void insert(int deadline, int job) {
        Node node = new Node(deadline, job);
        Node previous = before(deadline);
        link(previous, node);
    }

    /** The last job that is due no later. */
    private synchronized Node before(int deadline) {
        Node node = head;
        while (node.next != null && node.next.deadline <= deadline) {
            node = node.next;
        }
        return node;
    }

    private synchronized void link(Node previous, Node node) {
        node.next = previous.next;
        previous.next = node;
        size++;
    }

    /** Whether a job is on the list; stops as soon as only later ones can follow. */
    synchronized boolean contains(int deadline, int job) {
        Node node = head.next;
        while (node != null && node.deadline <= deadline) {
            if (node.job == job) {
                return true;
            }
            node = node.next;
        }
        return false;
    }

    synchronized int size() {
        return size;
    }

    /** The number of jobs that stand before one that is due earlier. */
    synchronized int misplaced() {
        int misplaced = 0;
        for (Node node = head.next; node != null && node.next != null; node = node.next) {
            if (node.deadline > node.next.deadline) {
                misplaced++;
            }
        }
        return misplaced;
    }

    static class Client extends Thread {
        private final LinkedList list;
        private final int number;
        private final int jobs;

        Client(LinkedList list, int number, int jobs) {
            super("client-" + number);
            this.list = list;
            this.number = number;
            this.jobs = jobs;
        }

        /** Most jobs may wait long, some are wanted at once. */
        private int deadline(int i) {
            return (i * 37 + number * 101) % 500 * (i % 4 == 0 ? 1 : 10);
        }

        private int job(int i) {
            return number * 10_000 + i;
        }

        @Override
        public void run() {
            for (int i = 0; i < jobs; i++) {
                list.insert(deadline(i), job(i));
            }
        }

        int missing() {
            int missing = 0;
            for (int i = 0; i < jobs; i++) {
                if (!list.contains(deadline(i), job(i))) {
                    missing++;
                }
            }
            return missing;
        }
    }

    static int argument(String[] args, int index, int otherwise) {
        return index < args.length ? Integer.parseInt(args[index]) : otherwise;
    }

    public static void main(String[] args) throws InterruptedException {
        LinkedList list = new LinkedList();
        Client[] clients = new Client[argument(args, 0, CLIENTS)];
        for (int i = 0; i < clients.length; i++) {
            clients[i] = new Client(list, i + 1, argument(args, 1, JOBS));
        }
        for (Client client : clients) {
            client.start();
        }
        for (Client client : clients) {
            client.join();
        }
        int missing = 0;
        for (Client client : clients) {
            missing += client.missing();
        }
        int misplaced = list.misplaced();
        if (misplaced > 0) {
            System.out.println("list out of order: " + misplaced + " of " + list.size()
                    + " jobs misplaced, " + missing + " not found");
            System.exit(1);
        }
        System.out.println("list in order: " + list.size() + " jobs");
    }
}
