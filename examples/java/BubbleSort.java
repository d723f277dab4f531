// SPDX-License-Identifier: MIT
/*
 * The ranking of a tournament, kept in order by bubble sort: a coordinator announces round after
 * round, and in each round a few workers sort their sections of the ranking.
 *
 * Bug patterns: non-atomic operation; orphaned thread.
 * Where: neighbouring sections share the score on their border, so that scores can pass from one to
 *     the next. Section.sort() swaps two scores with plain loads and stores, as if it were one step;
 *     two workers who swap at a border at the same time write one score twice and lose another.
 *     The coordinator finds out and throws. But the workers are dismissed only at the end of
 *     rank(), which is then never reached: they wait for a next round for ever.
 * Symptom: a score is lost, the coordinator dies, its workers stay behind as orphans.
 * A failing run prints the exception "ranking damaged" and then hangs.
 *
 *     java BubbleSort [WORKERS] [SCORES]
 */
public class BubbleSort {
    static final int WORKERS = 3;
    static final int SCORES = 72;

    /** Rounds that begin for all workers at once, and end when the last is done. */
    static class Rounds {
        private int round;
        private int atWork;
        private boolean closed;

        /** Returns when all workers have done the round. */
        synchronized void hold(int workers) throws InterruptedException {
            round++;
            atWork = workers;
            notifyAll();
            while (atWork > 0) {
                wait();
            }
        }

        synchronized void close() {
            closed = true;
            notifyAll();
        }

        /** Waits for a round after this one; false if there will be none. */
        synchronized boolean await(int last) throws InterruptedException {
            while (round == last && !closed) {
                wait();
            }
            return !closed;
        }

        synchronized void done() {
            atWork--;
            if (atWork == 0) {
                notifyAll();
            }
        }
    }

    /** One worker's part of the ranking: from the first to the last score, both included. */
    static class Section extends Thread {
        private final Rounds rounds;
        private final int[] scores;
        private final int first;
        private final int last;
        private int swaps;

        Section(Rounds rounds, int[] scores, int first, int last) {
            super("section-" + first);
            this.rounds = rounds;
            this.scores = scores;
            this.first = first;
            this.last = last;
        }

        @Override
        public void run() {
            try {
                for (int round = 0; rounds.await(round); round++) {
                    sort();
                    rounds.done();
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException("nobody interrupts a section", e);
            }
        }

        /** Sorts the section by itself, pass after pass. */
        private void sort() {
            int before;
            do {
                before = swaps;
                for (int i = first; i < last; i++) {
                    if (scores[i] > scores[i + 1]) {
                        int higher = scores[i];
                        scores[i] = scores[i + 1];
                        scores[i + 1] = higher;
                        swaps++;
                    }
                }
            } while (swaps != before);
        }
    }

    static long sum(int[] scores) {
        long sum = 0;
        for (int score : scores) {
            sum += score;
        }
        return sum;
    }

    /** Puts the scores in order; returns the number of swaps. */
    static int rank(int[] scores, int workers) throws InterruptedException {
        Rounds rounds = new Rounds();
        Section[] sections = new Section[workers];
        for (int i = 0; i < workers; i++) {
            int first = (scores.length - 1) * i / workers;
            int last = (scores.length - 1) * (i + 1) / workers;
            sections[i] = new Section(rounds, scores, first, last);
            sections[i].start();
        }
        long expected = sum(scores);
        int swaps = 0;
        int before = -1;
        while (swaps != before) {
            before = swaps;
            rounds.hold(workers);
            if (sum(scores) != expected) {
                throw new IllegalStateException("ranking damaged: the scores add up to " + sum(scores)
                        + ", should be " + expected);
            }
            swaps = 0;
            for (Section section : sections) {
                swaps += section.swaps;
            }
        }
        rounds.close();
        for (Section section : sections) {
            section.join();
        }
        return swaps;
    }

    static int argument(String[] args, int index, int otherwise) {
        return index < args.length ? Integer.parseInt(args[index]) : otherwise;
    }

    public static void main(String[] args) throws InterruptedException {
        int[] scores = new int[argument(args, 1, SCORES)];
        for (int i = 0; i < scores.length; i++) {
            scores[i] = 1000 + i * 7919 % 1009;
        }
        int swaps = rank(scores, argument(args, 0, WORKERS));
        for (int i = 1; i < scores.length; i++) {
            if (scores[i - 1] > scores[i]) {
                throw new IllegalStateException("ranking damaged: place " + i + " is out of order");
            }
        }
        System.out.println("ranked " + scores.length + " scores from " + scores[0] + " to "
                + scores[scores.length - 1] + ", swaps: " + (swaps > 0 ? "some" : "none"));
    }
}
