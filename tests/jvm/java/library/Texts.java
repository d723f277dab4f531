// SPDX-License-Identifier: MIT
import java.util.function.Supplier;

/** StringBuilders: shared without a lock, given all that they take, and kept in or handed out of a method. */
final class Texts {
    static final int CALLS = 1000;

    static final StringBuilder shared = new StringBuilder();
    static StringBuilder field;
    static Object object;
    static int turns;

    /** Says, when it is asked, how often it was asked before. */
    static final Object turn = new Object() {
        @Override
        public String toString() {
            return "turn " + turns++;
        }
    };

    /** A CharSequence that the JDK does not know. */
    static final class Repeated implements CharSequence {
        private final char letter;
        private final int length;

        Repeated(char letter, int length) {
            this.letter = letter;
            this.length = length;
        }

        @Override
        public int length() {
            return length;
        }

        @Override
        public char charAt(int index) {
            turns++;
            return letter;
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return new Repeated(letter, end - start);
        }
    }

    static void race() throws Exception {
        char[] letters = {'a', 'b', 'c', 'd'};
        Race.run(3, (me, seen) -> {
            int broken = 0;
            for (int i = 0; i < 100; i++)
                try {
                    letters[i % 4] = (char) ('a' + me);
                    shared.append(me).append(letters, 1, 2).append(turn).append(new StringBuilder("x").append(i));
                    if (i % 10 == me)
                        seen.append(shared.length()).append(shared.charAt(shared.length() / 2)).append(' ');
                    if (i % 25 == 24)
                        shared.delete(0, shared.length() / 2).insert(1, shared.indexOf("turn")).reverse();
                } catch (RuntimeException e) {
                    broken++;
                }
            seen.append(broken);
        });
        System.out.println(shared.length() + " " + shared.toString().hashCode());
    }

    static void say(Supplier<Object> what) {
        try {
            System.out.println(what.get());
        } catch (NullPointerException e) {
            // Its message names what was null by where it was found.
            System.out.println(e.getClass());
        } catch (RuntimeException e) {
            System.out.println(e);
        }
    }

    static StringBuilder fresh() {
        return new StringBuilder("0123456789");
    }

    /** What a recorded program prints here is what it prints anyway. */
    static void everything() {
        char[] letters = {'x', 'y', 'z'};
        StringBuilder none = null;
        say(() -> fresh().append((Object) null).append((CharSequence) null).append((String) null));
        say(() -> fresh().append((StringBuffer) null).append(new StringBuffer("buffer")));
        say(() -> fresh().append(turn).append(new Repeated('r', 3)).append(new Repeated('s', 5), 1, 3));
        say(() -> fresh().append(new Repeated('s', 5), 3, 9).append(turns));
        say(() -> fresh().append(letters).append(letters, 1, 2).insert(2, letters).insert(0, letters, 0, 1));
        say(() -> fresh().append(letters, 2, 5));
        say(() -> fresh().append((char[]) null));
        say(() -> fresh().append(true).append('c').append(1).append(2L).append(3.5f).append(4.25));
        say(() -> fresh().insert(1, (Object) null).insert(3, turn).insert(0, new Repeated('i', 2)));
        say(() -> fresh().insert(11, "beyond"));
        say(() -> fresh().appendCodePoint(0x1f600).codePointAt(10));
        say(() -> fresh().deleteCharAt(3).replace(0, 2, "ab").reverse());
        say(() -> fresh().charAt(10));
        say(() -> fresh().substring(4) + fresh().substring(1, 3) + fresh().subSequence(0, 2) + fresh().lastIndexOf("9"));
        say(() -> none.append(1));
        say(() -> {
            StringBuilder builder = fresh();
            builder.setLength(3);
            builder.setCharAt(0, 'S');
            builder.ensureCapacity(100);
            builder.trimToSize();
            builder.getChars(0, 2, letters, 0);
            return builder.append(builder).append(new String(letters)).append((Object) builder);
        });
    }

    // Each makes CALLS calls of a builder.

    static int kept() {
        StringBuilder builder = new StringBuilder();
        for (int i = 0; i < CALLS - 1; i++)
            builder.append(i % 3 == 0 ? "three" : i % 2 == 0 ? "two" : "one");
        return builder.length() > 0 ? builder.toString().length() : 0;
    }

    static void given(StringBuilder builder) {
        for (int i = 0; i < CALLS; i++)
            builder.append(i);
    }

    static void stored() {
        StringBuilder builder = new StringBuilder();
        field = builder;
        for (int i = 0; i < CALLS; i++)
            builder.append(i);
    }

    static void captured() {
        StringBuilder builder = new StringBuilder();
        Runnable run = () -> {
            for (int i = 0; i < CALLS; i++)
                builder.append(i);
        };
        run.run();
    }

    /** Where the two ways meet, it is an Object. */
    static void disguised(boolean really) {
        StringBuilder builder = new StringBuilder();
        Object same = really ? builder : "";
        object = same;
        for (int i = 0; i < CALLS; i++)
            builder.append(i);
    }

    static StringBuilder returned() {
        StringBuilder builder = new StringBuilder();
        for (int i = 0; i < CALLS; i++)
            builder.append(i);
        return builder;
    }

    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
        case "race":
            race();
            break;
        case "everything":
            everything();
            break;
        case "kept":
            System.out.println(kept());
            break;
        default:
            given(new StringBuilder());
            stored();
            captured();
            disguised(true);
            returned();
            break;
        }
    }
}
