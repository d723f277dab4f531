// SPDX-License-Identifier: MIT

import java.lang.reflect.Field;
import java.util.ArrayList;

/** Copies of objects that threads share: a copy has a life of its own. */
public class Clones {
    static class Point implements Cloneable {
        int x, y;

        Point copy() {
            try {
                return (Point) clone();
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }
    }

    /** Its clone() is the JDK's. */
    static class Points extends ArrayList<Point> {
        private static final long serialVersionUID = 1;
        int changes;
    }

    static final Point shared = new Point(), raced = new Point();
    static final Points all = new Points();
    /** Each is a copy of one that has died. */
    static final Point[] ring = new Point[64];
    static volatile int copies;

    static void work(int id) {
        for (int i = 0; i < 2000; i++) {
            Point mine;
            Points list;
            synchronized (all) {
                shared.x++;
                mine = shared.copy();
                list = (Points) all.clone();
                list.changes += i;
                all.changes++;
            }
            mine.x += id;
            mine.y = mine.x + raced.y;
            raced.y = mine.y & 1023;
            if (list.changes < 0)
                throw new AssertionError();
            Point next = ring[i % ring.length].copy();
            next.x += id;
            ring[(i + id) % ring.length] = next;
            if (i % 500 == 0)
                System.gc();
            copies++;
        }
    }

    static int fields(Class<?> type) {
        int count = 0;
        for (Field field : type.getDeclaredFields())
            if (field.getName().contains("ditto"))
                count++;
        return count;
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < ring.length; i++)
            ring[i] = new Point();
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            int id = i;
            threads[i] = new Thread(() -> work(id));
            threads[i].start();
        }
        for (Thread thread : threads)
            thread.join();
        System.out.println("x " + shared.x + " y " + raced.y + " copies " + copies + " changes " + all.changes);
        int sum = 0;
        for (Point point : ring)
            sum += point.x;
        System.out.println("ring " + sum);
        System.out.println("strange fields " + fields(Object.class) + " " + fields(Thread.class));
    }
}
