// SPDX-License-Identifier: MIT

/** What Loaders loads several times; the tests compile it with other words in the place of NAME. */
public class Plugin implements Runnable {
    static class State implements Checked {
        static int count = 1;

        static {
            Loaders.note("State NAME");
            for (int i = 0; i < 100; i++)
                count += i;
        }
    }

    /** Initialized with State, as it has a method for it. */
    interface Checked {
        Object TOKEN = token();

        static Object token() {
            Loaders.note("Checked NAME");
            return "token";
        }

        default void check() {
            Loaders.count(TOKEN.hashCode());
        }
    }

    static {
        Loaders.note("NAME");
    }

    @Override
    public void run() {
        Loaders.count(1);
        new State().check();
        for (int i = 0; i < 50; i++)
            Loaders.count(State.count);
    }
}
