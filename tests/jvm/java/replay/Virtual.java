// SPDX-License-Identifier: MIT

import java.lang.reflect.Method;

/** Virtual threads, where there are any. */
public class Virtual {
    static final Object lock = new Object();
    static int count, racy;

    static Thread start(Runnable code) throws ReflectiveOperationException {
        try {
            Method method = Thread.class.getMethod("startVirtualThread", Runnable.class);
            return (Thread) method.invoke(null, code);
        } catch (NoSuchMethodException e) {
            Thread thread = new Thread(code);
            thread.start();
            return thread;
        }
    }

    public static void main(String[] args) throws Exception {
        Thread[] threads = new Thread[20];
        for (int i = 0; i < threads.length; i++)
            threads[i] = start(() -> {
                for (int k = 0; k < 100; k++) {
                    synchronized (lock) {
                        count++;
                    }
                    racy++;
                    Thread.yield();
                }
            });
        for (Thread thread : threads)
            thread.join();
        System.out.println("count " + count + ", racy " + racy);
    }
}
