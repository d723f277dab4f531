// SPDX-License-Identifier: MIT
package debug;

import java.util.function.Supplier;

/** Prints, counts, and locks, all unseen. */
@DittoIgnore
public class Log {
    private static int lines;
    private static final Object LOCK = new Object();

    public static void say(String what, Object who) {
        synchronized (LOCK) {
            lines++;
            Supplier<String> line = () -> "log " + lines + ": " + what + " " + who;
            System.out.println(line.get());
        }
    }
}
