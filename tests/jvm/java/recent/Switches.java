// SPDX-License-Identifier: MIT

/** Switches with patterns, whose labels whoever comes first resolves. From JDK 21 on. */
public class Switches {
    enum Colour { RED, GREEN, BLUE }

    sealed interface Shape permits Dot, Pair {
    }

    record Dot(int at) implements Shape {
    }

    record Pair(Colour colour, Shape inner) implements Shape {
    }

    static int count;

    static String ofColour(Colour colour, int number) {
        return switch (colour) {
            case Colour c when c == Colour.RED && number > 2 -> "red" + count++;
            case RED -> "RED";
            case Colour c when number == count % 7 -> "some";
            case GREEN -> "green" + count;
            case BLUE -> "blue";
        };
    }

    static String of(Object object) {
        return switch (object) {
            case null -> "null";
            case Pair(Colour colour, Dot(int at)) when colour == Colour.RED -> "dot" + at + count++;
            case Pair(Colour colour, Shape inner) -> of(inner) + colour;
            case Dot dot -> "Dot" + dot.at();
            case Colour.GREEN -> "GREEN";
            case Colour colour -> "colour" + count;
            case String text when text.length() > 2 -> text;
            default -> "other";
        };
    }

    public static void main(String[] args) throws Exception {
        Thread[] threads = new Thread[5];
        for (int t = 0; t < threads.length; t++) {
            int me = t;
            threads[t] = new Thread(() -> {
                StringBuilder text = new StringBuilder();
                for (int i = 0; i < 20; i++) {
                    Colour colour = Colour.values()[(i + me) % 3];
                    text.append(ofColour(colour, i)).append(of(i % 3 == 0 ? new Pair(colour, new Dot(i)) : i % 3 == 1 ? colour : "s" + i));
                    count++;
                }
                System.out.println(text);
            });
            threads[t].start();
        }
        for (Thread thread : threads)
            thread.join();
        System.out.println(of(null) + count);
    }
}
