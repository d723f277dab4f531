// SPDX-License-Identifier: MIT
package java.lang;

/** Hooks that count, and check that each thread begins, ends and abandons accesses one at a time. */
public final class DittoHooks {
    private static final int KINDS = 9;
    private static final String[] NAMES = {"loads", "stores", "static loads", "static stores", "array loads",
        "array stores", "acquisitions", "releases", "abandoned"};

    private static final class State {
        final long[] counts = new long[KINDS];
        boolean begun;
        String problem;
    }

    private static final java.util.List<State> ALL = new java.util.ArrayList<>();
    private static final ThreadLocal<State> STATE = new ThreadLocal<>() {
        @Override
        protected State initialValue() {
            State state = new State();
            synchronized (ALL) {
                ALL.add(state);
            }
            return state;
        }
    };

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(DittoHooks::report));
    }

    private DittoHooks() {
    }

    private static void report() {
        long[] sums = new long[KINDS];
        String problem = "none";
        synchronized (ALL) {
            for (State state : ALL) {
                for (int i = 0; i < KINDS; i++)
                    sums[i] += state.counts[i];
                if (state.begun)
                    problem = "an access was never ended";
                if (state.problem != null)
                    problem = state.problem;
            }
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < KINDS; i++)
            text.append(NAMES[i]).append(' ').append(sums[i]).append("; ");
        System.err.println(text.append("problem: ").append(problem));
    }

    private static void begin(int kind) {
        State state = STATE.get();
        state.counts[kind]++;
        if (state.begun)
            state.problem = "an access began inside another, kind " + kind;
        state.begun = true;
    }

    private static void end() {
        State state = STATE.get();
        if (!state.begun)
            state.problem = "an access ended that did not begin";
        state.begun = false;
    }

    public static void beforeLoad(Object object, int site) {
        begin(0);
    }

    public static void afterLoad(int site) {
        end();
    }

    public static void beforeStore(Object object, int site) {
        begin(1);
    }

    public static void afterStore(int site) {
        end();
    }

    public static void beforeStaticLoad(int site) {
        begin(2);
    }

    public static void afterStaticLoad(int site) {
        end();
    }

    public static void beforeStaticStore(int site) {
        begin(3);
    }

    public static void afterStaticStore(int site) {
        end();
    }

    public static void beforeArrayLoad(Object array, int index, int site) {
        begin(4);
        check(array, index);
    }

    public static void afterArrayLoad(int site) {
        end();
    }

    public static void beforeArrayStore(Object array, int index, int site) {
        begin(5);
        check(array, index);
    }

    public static void afterArrayStore(int site) {
        end();
    }

    private static void check(Object array, int index) {
        if (array != null && !array.getClass().isArray())
            STATE.get().problem = "an array hook got a " + array.getClass();
        if (index < -1 || index > 1000000)
            STATE.get().problem = "an array hook got the index " + index;
    }

    public static Object same(Object object) {
        return object;
    }

    public static void beforeAcquire(Object lock, int site) {
        begin(6);
    }

    public static void afterAcquire(Object lock, int site) {
        end();
        if (!Thread.holdsLock(lock))
            STATE.get().problem = "an acquired monitor is not held";
    }

    public static void beforeRelease(Object lock, int site) {
        STATE.get().counts[7]++;
        if (!Thread.holdsLock(lock))
            STATE.get().problem = "a monitor is released that is not held";
    }

    public static void abandon() {
        State state = STATE.get();
        if (state.begun)
            state.counts[8]++;
        state.begun = false;
    }
}
