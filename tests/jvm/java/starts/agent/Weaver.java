// SPDX-License-Identifier: MIT
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.charset.StandardCharsets;
import java.security.ProtectionDomain;

/**
 * An agent that rewrites a constant of Tally, as a class loads or, with the argument "again", when it is there. With
 * "library" it has classes of the JDK loaded again, and leaves them as they are.
 */
public class Weaver implements ClassFileTransformer {
    /** Not the same in every run: which classes of the JDK are loaded, and when, is not. */
    static int seen;

    public static void premain(String argument, Instrumentation instrumentation) throws Exception {
        instrumentation.addTransformer(new Weaver(), argument != null);
        if ("library".equals(argument))
            instrumentation.retransformClasses(Object.class, Thread.class, java.io.PrintStream.class,
                    java.util.HashMap.class, java.util.concurrent.ConcurrentHashMap.class);
    }

    @Override
    public byte[] transform(ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
        seen++;
        if (!"tally/Tally".equals(name))
            return null;
        byte[] from = "plain".getBytes(StandardCharsets.US_ASCII), to = "woven".getBytes(StandardCharsets.US_ASCII);
        byte[] result = bytes.clone();
        for (int i = 0; i + from.length <= result.length; i++) {
            int length = 0;
            while (length < from.length && result[i + length] == from[length])
                length++;
            // Not inside a longer name.
            if (length == from.length && result[i - 1] == length && result[i - 2] == 0)
                System.arraycopy(to, 0, result, i, length);
        }
        return result;
    }
}
