// SPDX-License-Identifier: MIT

/** Several threads need the same classes for the first time; who comes first initializes them. */
public class ClassInit {
    static String log = "";

    static synchronized void note(String text) {
        log += text + " by " + Thread.currentThread().getName() + "; ";
    }

    static class Base {
        static int base = 1;

        static {
            note("Base");
            for (int i = 0; i < 200; i++)
                base += i;
        }

        static int twice() {
            return 2 * base;
        }
    }

    static class Derived extends Base {
        static int derived;

        static {
            note("Derived");
            derived = base + 1;
        }
    }

    interface Constants {
        Object TOKEN = token();

        static Object token() {
            note("Constants");
            return "token";
        }
    }

    static class Implementer implements Constants {
        static {
            note("Implementer");
        }
    }

    interface Checked {
        Object STAMP = stamp();

        static Object stamp() {
            note("Checked");
            return "stamp";
        }

        default int check() {
            return STAMP.toString().length();
        }
    }

    /** Has no method for it, so it is initialized on its own alone. */
    interface Further extends Checked {
        Object MORE = more();

        static Object more() {
            note("Further");
            return "more";
        }
    }

    static class Inheritor implements Further {
    }

    enum Colour {
        RED, GREEN;

        static {
            note("Colour");
        }
    }

    static int sum;

    public static void main(String[] args) throws Exception {
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            int id = i;
            threads[i] = new Thread(() -> {
                for (int n = 0; n < 50 * ((id * 7) % 4); n++)
                    sum++;
                switch (id) {
                case 0:
                    sum += Derived.twice();
                    sum += Derived.derived;
                    sum += new Inheritor().check();
                    break;
                case 1:
                    sum += new Derived().hashCode() == 0 ? 1 : 0;
                    sum += new Inheritor().check();
                    sum += Colour.valueOf("RED").ordinal();
                    break;
                case 2:
                    sum += Implementer.TOKEN.toString().length();
                    sum += Colour.GREEN.ordinal();
                    new Implementer();
                    sum += Further.MORE.toString().length();
                    break;
                default:
                    sum += Base.base;
                    new Implementer();
                    sum += Derived.derived;
                }
            }, "t" + i);
        }
        for (Thread thread : threads)
            thread.start();
        for (Thread thread : threads)
            thread.join();
        System.out.println(log);
        System.out.println(sum);
    }
}
