// SPDX-License-Identifier: MIT

/** Two classes whose initializers need each other, in two threads: a deadlock without a monitor. */
public class InitDeadlock {
    static volatile int begun;

    static void begin() {
        synchronized (InitDeadlock.class) {
            begun++;
        }
        while (begun < 2)
            Thread.onSpinWait();
    }

    static class Left {
        static int value;

        static {
            begin();
            value = Right.value + 1;
        }
    }

    static class Right {
        static int value;

        static {
            begin();
            value = Left.value + 1;
        }
    }

    public static void main(String[] args) throws Exception {
        Thread left = new Thread(() -> System.out.println(Left.value)), right = new Thread(() -> System.out.println(Right.value));
        left.start();
        right.start();
        left.join();
        right.join();
    }
}
