// SPDX-License-Identifier: MIT
import java.util.concurrent.TimeUnit;

/** Producers and consumers over wait and notifyAll, with timed waits and monitors that are entered twice. */
public class Buffer {
    private final Object[] items = new Object[3];
    private int count, in, out;
    private int impatient;

    synchronized void put(Object item) throws InterruptedException {
        synchronized (this) {
            while (count == items.length)
                wait();
        }
        items[in] = item;
        in = (in + 1) % items.length;
        count++;
        notifyAll();
    }

    synchronized Object take() throws InterruptedException {
        while (count == 0) {
            wait(1);
            impatient++;
        }
        Object item = items[out];
        items[out] = null;
        out = (out + 1) % items.length;
        count--;
        notifyAll();
        return item;
    }

    static class Producer extends Thread {
        private final Buffer buffer;
        private final int id;

        Producer(Buffer buffer, int id) {
            super("producer " + id);
            this.buffer = buffer;
            this.id = id;
        }

        @Override
        public void run() {
            try {
                for (int i = 0; i < 40; i++) {
                    buffer.put(id + "." + i);
                    if (i % 10 == 0)
                        sleep(1);
                    if (i % 15 == 0)
                        TimeUnit.MICROSECONDS.sleep(200);
                }
            } catch (InterruptedException e) {
                System.out.println("never");
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Buffer buffer = new Buffer();
        Thread[] threads = new Thread[4];
        for (int i = 0; i < 2; i++) {
            int id = i;
            threads[i] = new Producer(buffer, i);
            threads[2 + i] = new Thread(() -> {
                try {
                    for (int n = 0; n < 40; n++)
                        System.out.println("consumer " + id + " got " + buffer.take());
                } catch (InterruptedException e) {
                    System.out.println("never");
                }
            });
        }
        for (Thread thread : threads)
            thread.start();
        for (Thread thread : threads)
            thread.join();
        System.out.println("left " + buffer.count + ", waited in vain " + buffer.impatient);
        int[] lock = new int[4];
        synchronized (lock) {
            lock.wait(0, 1000);
            lock[3] = 7;
        }
        System.out.println(lock[3]);
        try {
            lock.notify();
        } catch (IllegalMonitorStateException e) {
            System.out.println("not held");
        }
        try {
            lock.wait();
        } catch (IllegalMonitorStateException e) {
            System.out.println("not held");
        }
    }
}
