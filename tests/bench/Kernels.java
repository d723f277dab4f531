// SPDX-License-Identifier: MIT

/** Three kernels of the benchmark `jvm`: objects with fields, arrays, many small objects. Prints milliseconds. */
public class Kernels {
    static final class Body {
        double position, speed, force;
    }

    static final class Link {
        final Link next;
        final int value;

        Link(Link next, int value) {
            this.next = next;
            this.value = value;
        }
    }

    static volatile double result;

    static double objects(int size) {
        Body[] bodies = new Body[32];
        for (int i = 0; i < bodies.length; i++) {
            bodies[i] = new Body();
            bodies[i].position = i;
        }
        for (int round = 0; round < size; round++) {
            Body body = bodies[round % bodies.length];
            body.force = -body.position * 0.01;
            body.speed += body.force;
            body.position += body.speed;
        }
        return bodies[0].position;
    }

    static double arrays(int size) {
        double[] row = new double[1000];
        for (int round = 0; round < size / 100; round++)
            for (int i = 1; i < 101; i++)
                row[i] = (row[i - 1] + row[i + 1]) * 0.25 + i;
        return row[50];
    }

    static double links(int size) {
        int sum = 0;
        for (int round = 0; round < size / 10; round++) {
            Link list = null;
            for (int i = 0; i < 10; i++)
                list = new Link(list, i);
            for (Link link = list; link != null; link = link.next)
                sum += link.value;
        }
        return sum;
    }

    static double run(String kernel, int size) {
        switch (kernel) {
        case "objects":
            return objects(size);
        case "arrays":
            return arrays(size);
        default:
            return links(size);
        }
    }

    public static void main(String[] args) throws Exception {
        Thread[] threads = new Thread[Integer.parseInt(args[1])];
        int size = Integer.parseInt(args[2]);
        long begin = System.nanoTime();
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> result = run(args[0], size));
            threads[i].start();
        }
        for (Thread thread : threads)
            thread.join();
        System.out.println((System.nanoTime() - begin) / 1e6);
    }
}
