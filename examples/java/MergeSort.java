// SPDX-License-Identifier: MIT
/*
 * The nightly sort of a log: records are sorted by time with merge sort, the halves of large parts
 * in parallel. Merging needs scratch space, which all threads take from one arena.
 *
 * Bug pattern: non-atomic operation.
 * Where: Arena.reserve() reads the end of what is reserved and moves it on, in two steps and without
 *     a lock.
 * Symptom: two threads that reserve at the same time get the same space, and while they merge they
 *     overwrite each other's records.
 * A failing run prints "log damaged" and exits with status 1.
 *
 *     java MergeSort [RECORDS] [DEPTH]     there are 2 to the DEPTH threads that sort
 */
public class MergeSort {
    static final int RECORDS = 1000;
    static final int DEPTH = 2;

    /** Scratch space for the whole sort, given out piece by piece and never taken back. */
    static class Arena {
        final long[] space;
        private int reserved;

        Arena(int size) {
            space = new long[size];
        }

        /** Returns where the piece begins. */
        int reserve(int size) {
            int start = reserved;
            reserved = start + size;
            return start;
        }
    }

    static class Sorter extends Thread {
        private final long[] records;
        private final Arena arena;
        private final int from;
        private final int to;
        private final int depth;

        Sorter(long[] records, Arena arena, int from, int to, int depth) {
            super("sorter-" + from + "-" + to);
            this.records = records;
            this.arena = arena;
            this.from = from;
            this.to = to;
            this.depth = depth;
        }

        @Override
        public void run() {
            try {
                sort(from, to, depth);
            } catch (InterruptedException e) {
                throw new IllegalStateException("nobody interrupts a sorter", e);
            }
        }

        private void sort(int from, int to, int depth) throws InterruptedException {
            if (to - from < 2) {
                return;
            }
            int middle = (from + to) >>> 1;
            if (depth > 0) {
                Sorter other = new Sorter(records, arena, middle, to, depth - 1);
                other.start();
                sort(from, middle, depth - 1);
                other.join();
            } else {
                sort(from, middle, 0);
                sort(middle, to, 0);
            }
            merge(from, middle, to);
        }

        /** The first half moves out of the way, then both are merged back. */
        private void merge(int from, int middle, int to) {
            int length = middle - from;
            int start = arena.reserve(length);
            long[] space = arena.space;
            for (int i = 0; i < length; i++) {
                space[start + i] = records[from + i];
            }
            int left = 0;
            int right = middle;
            for (int i = from; left < length; i++) {
                if (right < to && records[right] < space[start + left]) {
                    records[i] = records[right++];
                } else {
                    records[i] = space[start + left++];
                }
            }
        }
    }

    static int argument(String[] args, int index, int otherwise) {
        return index < args.length ? Integer.parseInt(args[index]) : otherwise;
    }

    /** Equal for two arrays if they hold the same records, in whatever order. */
    static long fingerprint(long[] records) {
        long sum = 0;
        for (long record : records) {
            sum += record * record;
        }
        return sum;
    }

    public static void main(String[] args) throws InterruptedException {
        long[] records = new long[argument(args, 0, RECORDS)];
        long time = 1_700_000_000L;
        for (int i = 0; i < records.length; i++) {
            time = (time * 48_271) % 2_147_483_647L;
            records[i] = time;
        }
        long expected = fingerprint(records);

        int levels = 32 - Integer.numberOfLeadingZeros(records.length);
        Arena arena = new Arena(levels * (records.length / 2 + 1));
        Sorter sorter = new Sorter(records, arena, 0, records.length, argument(args, 1, DEPTH));
        sorter.start();
        sorter.join();

        int misplaced = 0;
        for (int i = 1; i < records.length; i++) {
            if (records[i - 1] > records[i]) {
                misplaced++;
            }
        }
        boolean complete = fingerprint(records) == expected;
        if (misplaced > 0 || !complete) {
            System.out.println("log damaged: " + misplaced + " records out of order, "
                    + (complete ? "none lost" : "some lost"));
            System.exit(1);
        }
        System.out.println("log sorted: " + records.length + " records from " + records[0] + " to "
                + records[records.length - 1]);
    }
}
