// SPDX-License-Identifier: MIT
import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;

/**
 * Classes of one name from several loaders, with other code in each, initialized by the threads that share them.
 */
public class Loaders {
    static String log = "";
    static int sum;
    static final Runnable[] PLUGINS = new Runnable[3];
    static int ready;

    public static synchronized void note(String text) {
        log += text + " by " + Thread.currentThread().getName() + "; ";
    }

    public static void count(int by) {
        sum += by;
    }

    static synchronized void meet(int plugin, Runnable runnable) throws InterruptedException {
        PLUGINS[plugin] = runnable;
        ready++;
        Loaders.class.notifyAll();
        while (ready < PLUGINS.length)
            Loaders.class.wait();
    }

    static void work(int number, String directory) {
        try {
            URLClassLoader loader = new URLClassLoader(new URL[] {new File(directory).toURI().toURL()});
            meet(number, (Runnable) loader.loadClass("Plugin").getDeclaredConstructor().newInstance());
            // Each plugin has a class that is initialized now, by whoever comes first.
            for (int i = 0; i < PLUGINS.length; i++)
                PLUGINS[(number + i) % PLUGINS.length].run();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] args) throws Exception {
        Thread[] threads = new Thread[PLUGINS.length];
        for (int i = 0; i < threads.length; i++) {
            int number = i;
            threads[i] = new Thread(() -> work(number, args[number % args.length]), "t" + i);
            threads[i].start();
        }
        for (Thread thread : threads)
            thread.join();
        System.out.println(log);
        System.out.println(sum);
    }
}
