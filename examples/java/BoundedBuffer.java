// SPDX-License-Identifier: MIT
/*
 * A mail relay: receivers put messages into a small spool, senders take them out and deliver them.
 * The spool is bounded, so both sides wait: receivers while it is full, senders while it is empty.
 *
 * Bug pattern: notify instead of notifyAll; deadlock.
 * Where: receivers and senders wait on the same monitor, and Spool.put() and Spool.take() wake one
 *     waiting thread with notify(). The one that wakes may be on the same side as the one that
 *     notified; it finds nothing to do and waits again, and the wake-up is used up.
 * Symptom: all threads wait, though there are messages or space.
 * A failing run hangs: it prints nothing and does not end.
 *
 *     java BoundedBuffer [RECEIVERS] [SENDERS] [MESSAGES]
 */
public class BoundedBuffer {
    static final int RECEIVERS = 3;
    static final int SENDERS = 3;
    static final int MESSAGES = 12;
    static final int CAPACITY = 2;

    /** A ring of messages. */
    static class Spool {
        private final int[] messages;
        private int first;
        private int used;

        Spool(int capacity) {
            messages = new int[capacity];
        }

        synchronized void put(int message) throws InterruptedException {
            while (used == messages.length) {
                wait();
            }
            messages[(first + used) % messages.length] = message;
            used++;
            notify();
        }

        synchronized int take() throws InterruptedException {
            while (used == 0) {
                wait();
            }
            int message = messages[first];
            first = (first + 1) % messages.length;
            used--;
            notify();
            return message;
        }
    }

    /** What a message goes through on either side of the spool: a few rounds of a checksum. */
    static int checksum(int message) {
        int sum = message;
        for (int i = 0; i < 40; i++) {
            sum = 31 * sum + (sum >>> 7);
        }
        return sum;
    }

    static class Receiver extends Thread {
        private final Spool spool;
        private final int from;
        private final int to;
        private int sum;

        Receiver(Spool spool, int from, int to) {
            super("receiver-" + from);
            this.spool = spool;
            this.from = from;
            this.to = to;
        }

        @Override
        public void run() {
            try {
                for (int message = from; message < to; message++) {
                    sum += checksum(message);
                    spool.put(message);
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException("nobody interrupts a receiver", e);
            }
        }
    }

    static class Sender extends Thread {
        private final Spool spool;
        private final int quota;
        private int sum;

        Sender(Spool spool, int number, int quota) {
            super("sender-" + number);
            this.spool = spool;
            this.quota = quota;
        }

        @Override
        public void run() {
            try {
                for (int i = 0; i < quota; i++) {
                    sum += checksum(spool.take());
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException("nobody interrupts a sender", e);
            }
        }
    }

    static int argument(String[] args, int index, int otherwise) {
        return index < args.length ? Integer.parseInt(args[index]) : otherwise;
    }

    public static void main(String[] args) throws InterruptedException {
        Receiver[] receivers = new Receiver[argument(args, 0, RECEIVERS)];
        Sender[] senders = new Sender[argument(args, 1, SENDERS)];
        int each = argument(args, 2, MESSAGES);
        int all = receivers.length * each;

        Spool spool = new Spool(CAPACITY);
        for (int i = 0; i < senders.length; i++) {
            // The senders share the messages out among themselves beforehand, to the last one.
            int quota = all * (i + 1) / senders.length - all * i / senders.length;
            senders[i] = new Sender(spool, i, quota);
        }
        for (int i = 0; i < receivers.length; i++) {
            receivers[i] = new Receiver(spool, i * each, (i + 1) * each);
        }
        for (Sender sender : senders) {
            sender.start();
        }
        for (Receiver receiver : receivers) {
            receiver.start();
        }

        int received = 0;
        int sent = 0;
        for (Receiver receiver : receivers) {
            receiver.join();
            received += receiver.sum;
        }
        for (Sender sender : senders) {
            sender.join();
            sent += sender.sum;
        }
        if (sent != received) {
            System.out.println("messages damaged: checksum " + sent + ", should be " + received);
            System.exit(1);
        }
        System.out.println("relayed " + all + " messages, checksum " + sent);
    }
}
