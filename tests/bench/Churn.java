// SPDX-License-Identifier: MIT

/** Two threads that make short-lived objects and arrays, share some of them for a while, and lock a few. */
public class Churn extends Thread {
    static class Node {
        Node next;
        int value;
        int[] history = new int[4];
    }

    static final Node[] shared = new Node[64];
    static volatile boolean over;
    long made;

    @Override
    public void run() {
        for (int i = 0; !over; i++) {
            Node node = new Node();
            node.value = i;
            node.history[i & 3] = i;
            Node other = shared[i & 63];
            if (other != null) {
                node.value += other.value;
                other.history[0]++;
                if ((i & 1023) == 0)
                    synchronized (other) {
                        other.value++;
                    }
            }
            shared[i * 7 & 63] = node;
            made++;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Churn one = new Churn(), two = new Churn();
        one.start();
        two.start();
        Thread.sleep(1000L * Integer.parseInt(args[0]));
        over = true;
        one.join();
        two.join();
        System.out.println(one.made + two.made + " objects made");
    }
}
