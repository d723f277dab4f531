// SPDX-License-Identifier: MIT

/** Stores and loads values that come from outside, where no event shows that they are others. */
class Valued {
    enum Colour { RED, GREEN }

    static int number;
    static long[] numbers = new long[4];
    byte small;
    float real;
    double wide;
    Object object;
    String text;
    Object other;

    public static void main(String[] args) {
        String outside = System.getenv("DITTO_OUTSIDE");
        boolean changed = outside.startsWith("other");
        String what = outside.substring(outside.indexOf(' ') + 1);
        Valued valued = new Valued();
        for (int i = 0; i < 100; i++) {
            boolean now = changed && i == 50;
            number = what.equals("int") && now ? 7 : i;
            numbers[i % 4] = what.equals("long[]") && now ? -1L << 40 : i;
            valued.small = (byte) (what.equals("byte") && now ? -3 : i);
            valued.real = what.equals("float") && now ? 0.5f : i;
            valued.wide = what.equals("double") && now ? 0.25 : i;
            valued.object = what.equals("null") && now ? null : valued;
            valued.object = what.equals("class") && now ? new int[1] : valued;
            valued.object = what.equals("length") && now ? new int[1] : new int[2];
            valued.object = what.equals("enum") && now ? Colour.GREEN : Colour.RED;
            valued.text = what.equals("String") && now ? "x" + i : "y" + i;
            Object read = what.equals("place") && now ? valued.other : valued.text;
            if (what.equals("last") && i == 99 && changed)
                number = 1000;
            else if (i == 99)
                number = 999;
        }
        System.out.println(what.equals("printed") && changed ? "two" : "one");
        // The last events are those of a thread that never ends.
        Runtime.getRuntime().halt(0);
    }
}
