// SPDX-License-Identifier: MIT
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Several threads need classes for the first time that only reflection and method handles name. With an argument, one
 * initializes them all before the others, which sleep, come to them: in a replay, which does not sleep, they come first.
 */
public class Reflected {
    static String log = "";

    static synchronized int note(String text) {
        log += text + " by " + Thread.currentThread().getName() + "; ";
        int sum = 0;
        for (int i = 0; i < 300; i++)
            sum += log.charAt(i % log.length());
        return sum;
    }

    static class Named {
        static int value = note("Named");
    }

    static class Base {
        static int value = note("Base");
    }

    static class Made extends Base {
        static int value = note("Made");
    }

    static class Called {
        static int value = note("Called");

        static int twice() {
            return 2 * value;
        }
    }

    static class Read {
        static int value = note("Read");
    }

    static class Handled {
        static int value = note("Handled");
    }

    static class Ensured {
        static int value = note("Ensured");
    }

    static int race;

    private static void use(int id, int spins) throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        for (int n = 0; n < spins; n++)
            race++;
        for (int i = 0; i < 6; i++) {
            int got; // before race is loaded, which would wait for others
            switch ((i + id) % 6) {
            case 0:
                Class.forName("Reflected$Named");
                break;
            case 1:
                Made.class.getDeclaredConstructor().newInstance();
                break;
            case 2:
                got = (int) Called.class.getDeclaredMethod("twice").invoke(null);
                race += got;
                break;
            case 3:
                got = Read.class.getDeclaredField("value").getInt(null);
                race += got;
                break;
            case 4:
                MethodHandle maker = lookup.findConstructor(Handled.class, MethodType.methodType(void.class));
                Object made = maker.asType(MethodType.methodType(Object.class)).invokeExact();
                break;
            default:
                lookup.ensureInitialized(Ensured.class);
            }
        }
    }

    /** Takes time in a replay, too. */
    private static long think() {
        long sum = 1;
        for (int i = 0; i < 100_000_000; i++)
            sum = sum * 31 + i;
        return sum;
    }

    private static void useInTurn(int id) throws Throwable {
        if (id == 6) {
            if (think() == 0)
                throw new AssertionError();
            race += Named.value + Made.value + Called.value + Read.value + Handled.value + Ensured.value;
        } else {
            Thread.sleep(1000);
            use(id, 0);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Thread[] threads = new Thread[arguments.length > 0 ? 7 : 4];
        for (int i = 0; i < threads.length; i++) {
            int id = i;
            threads[i] = new Thread(() -> {
                try {
                    if (arguments.length > 0)
                        useInTurn(id);
                    else
                        use(id, 20 * (id * 7 % 4));
                } catch (Throwable e) {
                    e.printStackTrace(System.out);
                }
            }, "t" + i);
        }
        for (Thread thread : threads)
            thread.start();
        for (Thread thread : threads)
            thread.join();
        System.out.println(log);
        System.out.println(race);
    }
}
