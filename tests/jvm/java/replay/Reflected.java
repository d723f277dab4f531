// SPDX-License-Identifier: MIT
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** Several threads need classes for the first time that only reflection and method handles name. */
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

    private static void use(int id) throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        for (int n = 0; n < 20 * (id * 7 % 4); n++)
            race++;
        for (int i = 0; i < 6; i++) {
            switch ((i + id) % 6) {
            case 0:
                Class.forName("Reflected$Named");
                break;
            case 1:
                Made.class.getDeclaredConstructor().newInstance();
                break;
            case 2:
                race += (int) Called.class.getDeclaredMethod("twice").invoke(null);
                break;
            case 3:
                race += Read.class.getDeclaredField("value").getInt(null);
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

    public static void main(String[] arguments) throws Exception {
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            int id = i;
            threads[i] = new Thread(() -> {
                try {
                    use(id);
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
