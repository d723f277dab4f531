// SPDX-License-Identifier: MIT
import java.security.SecureRandom;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** Random numbers, and the order of Map.of and Set.of. */
public class Seeds {
    public static void main(String[] arguments) throws Exception {
        System.out.println(new Random().nextLong() + " " + Math.random() + " " + new SplittableRandom().nextLong());
        System.out.println(ThreadLocalRandom.current().nextLong() + " " + new SecureRandom().nextLong());
        System.out.println(UUID.randomUUID() + " " + new SecureRandom().generateSeed(4)[0]);
        System.out.println(Map.of("a", 1, "b", 2, "c", 3, "d", 4) + " " + Set.of("v", "w", "x", "y", "z"));
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> System.out
                    .println(ThreadLocalRandom.current().nextInt() + " " + new Random().nextInt() + " " + UUID.randomUUID()));
            threads[i].start();
        }
        for (Thread thread : threads)
            thread.join();
    }
}
