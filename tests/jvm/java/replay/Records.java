// SPDX-License-Identifier: MIT

/** Records, whose equals, hashCode and toString whoever calls them first links, and at first initializes classes for. */
public class Records {
    record Point(int x, long y, double z, String name, int[] data) {
        static int made;

        Point {
            made++;
        }
    }

    static int sum;

    public static void main(String[] args) throws Exception {
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            int x = i;
            threads[i] = new Thread(() -> {
                Point one = new Point(x, x + 1, 0.5, "p" + x, null), two = new Point(x, x + 1, 0.5, "p" + x, null);
                sum += one.equals(two) ? one.hashCode() : 0;
                System.out.println(one + " " + one.equals(two) + " " + (one.hashCode() == two.hashCode()) + " " + Point.made);
            });
            threads[i].start();
        }
        for (Thread thread : threads)
            thread.join();
        System.out.println("sum " + sum + " made " + Point.made);
    }
}
