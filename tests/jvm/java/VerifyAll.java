// SPDX-License-Identifier: MIT
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Loads and links, without initializing, every class named in a file, and counts what the JVM objects to. */
public final class VerifyAll {
    public static void main(String[] arguments) throws Exception {
        List<String> names = Files.readAllLines(Path.of(arguments[0]));
        ClassLoader loader = ClassLoader.getSystemClassLoader();
        int linked = 0, bad = 0;
        for (String name : names) {
            try {
                // Asking for constructors makes the JVM link, and so verify, the class.
                Class.forName(name, false, loader).getDeclaredConstructors();
                linked++;
            } catch (Throwable problem) {
                bad++;
                System.out.println("# " + name + ": " + problem);
            }
        }
        System.out.println("# " + linked + " classes linked, " + bad + " refused");
        System.exit(bad == 0 && linked > 0 ? 0 : 1);
    }
}
