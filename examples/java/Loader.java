// SPDX-License-Identifier: MIT
/*
 * The loader of a parts catalogue: it brings the parts into the order of their codes with bubble
 * sort. Each pass is done by a thread of its own, which starts the thread of the next pass; that one
 * goes on until a pass has found nothing to swap.
 *
 * Bug pattern: sleep interleaving.
 * Where: a pass must begin when the pass before it is complete. Instead of waiting for that,
 *     Pass.run() sleeps for a moment, which is believed to be long enough.
 * Symptom: if the pass before takes longer, its swaps are not counted yet; the next pass takes the
 *     catalogue for sorted, and the loading ends too early.
 * A failing run prints "catalogue not in order" and exits with status 1.
 *
 *     java Loader [PARTS] [PAUSE-IN-MILLISECONDS]
 */
public class Loader {
    static final int PARTS = 405;
    static final int PAUSE = 1;

    static class Part {
        final char[] code;

        Part(int number) {
            code = new char[] {
                (char) ('A' + number / 676 % 26), (char) ('A' + number / 26 % 26), '-',
                (char) ('A' + number % 26), (char) ('0' + number % 10),
            };
        }

        boolean comesAfter(Part other) {
            for (int i = 0; i < code.length; i++) {
                if (code[i] != other.code[i]) {
                    return code[i] > other.code[i];
                }
            }
            return false;
        }
    }

    static class Catalogue {
        final Part[] parts;
        /** Of the last complete pass. */
        int swaps;

        Catalogue(int size) {
            parts = new Part[size];
            // As delivered: in order, but for some that come too late by up to a dozen places.
            for (int i = 0; i < size; i++) {
                parts[i] = new Part(i);
            }
            for (int i = 0; i + 13 < size; i += 29) {
                Part late = parts[i];
                int delay = 3 + i % 10;
                System.arraycopy(parts, i + 1, parts, i, delay);
                parts[i + delay] = late;
            }
            for (int i = 20; i + 8 < size; i += 29) {
                Part early = parts[i + 7];
                System.arraycopy(parts, i, parts, i + 1, 7);
                parts[i] = early;
            }
            swaps = size;
        }

        int misplaced() {
            int misplaced = 0;
            for (int i = 0; i + 1 < parts.length; i++) {
                if (parts[i].comesAfter(parts[i + 1])) {
                    misplaced++;
                }
            }
            return misplaced;
        }
    }

    static class Pass extends Thread {
        private final Catalogue catalogue;
        private final int number;
        private final int pause;
        private Pass next;

        Pass(Catalogue catalogue, int number, int pause) {
            super("pass-" + number);
            this.catalogue = catalogue;
            this.number = number;
            this.pause = pause;
        }

        @Override
        public void run() {
            try {
                Thread.sleep(pause); // by now the pass before is through
            } catch (InterruptedException e) {
                throw new IllegalStateException("nobody interrupts a pass", e);
            }
            if (catalogue.swaps == 0) {
                return;
            }
            catalogue.swaps = 0;
            next = new Pass(catalogue, number + 1, pause);
            next.start();

            Part[] parts = catalogue.parts;
            int swaps = 0;
            for (int i = 0; i + 1 < parts.length; i++) {
                if (parts[i].comesAfter(parts[i + 1])) {
                    Part later = parts[i];
                    parts[i] = parts[i + 1];
                    parts[i + 1] = later;
                    swaps++;
                }
            }
            catalogue.swaps = swaps;
        }
    }

    static int argument(String[] args, int index, int otherwise) {
        return index < args.length ? Integer.parseInt(args[index]) : otherwise;
    }

    public static void main(String[] args) throws InterruptedException {
        Catalogue catalogue = new Catalogue(argument(args, 0, PARTS));
        Pass first = new Pass(catalogue, 1, argument(args, 1, PAUSE));
        first.start();
        int passes = 0;
        for (Pass pass = first; pass != null; pass = pass.next) {
            pass.join();
            passes++;
        }
        if (catalogue.misplaced() > 0) {
            System.out.println("catalogue not in order: " + catalogue.misplaced() + " of "
                    + catalogue.parts.length + " parts misplaced after " + passes + " passes");
            System.exit(1);
        }
        System.out.println("catalogue in order: " + catalogue.parts.length + " parts after " + passes + " passes");
    }
}
