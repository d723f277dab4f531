// SPDX-License-Identifier: MIT
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.Date;

/** Time, asked often enough for compiled code to ask, too. */
public class Clocks {
    public static void main(String[] arguments) {
        System.out.println(System.nanoTime() + " " + System.currentTimeMillis());
        System.out.println(Instant.now() + " " + LocalDateTime.now() + " " + new Date().getTime());
        long sum = 0, begin = System.nanoTime();
        for (int i = 0; i < 30000; i++)
            sum += System.nanoTime() - begin + System.currentTimeMillis();
        System.out.println(sum);
    }
}
