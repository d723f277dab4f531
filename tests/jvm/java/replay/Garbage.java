// SPDX-License-Identifier: MIT

/** Objects that are shared for a moment and die; the collector runs many times. */
public class Garbage {
    static class Node {
        Node next;
        int value;
        final int[] payload = new int[16];
    }

    static Node head;
    static int sum;

    public static void main(String[] args) throws Exception {
        Thread[] threads = new Thread[2];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> {
                for (int n = 0; n < 12000; n++) {
                    Node node = new Node();
                    node.value = n;
                    node.payload[n % 16] = n;
                    node.next = n % 100 == 0 ? null : head;
                    head = node;
                    Node other = head;
                    if (other != null && other.next != null)
                        sum += other.value ^ other.next.payload[3];
                    if (n % 3000 == 0)
                        System.gc();
                    byte[] waste = new byte[4096];
                    waste[n % 4096] = 1;
                }
            });
        }
        for (Thread thread : threads)
            thread.start();
        for (Thread thread : threads)
            thread.join();
        System.out.println(sum);
    }
}
