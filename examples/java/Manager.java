// SPDX-License-Identifier: MIT
/*
 * The buffer manager of a small database: queries pin the pages they read and unpin them when they
 * are through. A page that nobody has pinned may be evicted.
 *
 * Bug pattern: non-atomic operation.
 * Where: BufferManager.pin() and unpin() get a page's pin count, add or subtract one, and set it.
 *     Getting and setting are synchronized, the three steps together are not.
 * Symptom: the count is wrong for ever after: too high, and the page can never be evicted; too low,
 *     and it is evicted while a query reads it.
 * A failing run prints "wrong pin count" for each such page and exits with status 1.
 *
 *     java Manager [QUERIES] [READS]
 */
public class Manager {
    static final int QUERIES = 4;
    static final int READS = 300;
    static final int PAGES = 8;
    static final int ROWS = 6;

    static class Page {
        private final int[] rows = new int[ROWS];
        private int pins;

        Page(int number) {
            for (int i = 0; i < ROWS; i++) {
                rows[i] = number * 100 + i;
            }
        }

        synchronized int getPins() {
            return pins;
        }

        synchronized void setPins(int pins) {
            this.pins = pins;
        }
    }

    static class BufferManager {
        private final Page[] pages = new Page[PAGES];

        BufferManager() {
            for (int i = 0; i < PAGES; i++) {
                pages[i] = new Page(i);
            }
        }

        Page pin(int number) {
            Page page = pages[number];
            page.setPins(page.getPins() + 1);
            return page;
        }

        void unpin(Page page) {
            page.setPins(page.getPins() - 1);
        }

        /** Drops what is not in use; returns the pages that had to stay. */
        int evictAll() {
            int kept = 0;
            for (int i = 0; i < PAGES; i++) {
                if (pages[i].getPins() == 0) {
                    pages[i] = null;
                } else {
                    kept++;
                }
            }
            return kept;
        }
    }

    /** Adds up rows along a path through the pages, which is the same in every run. */
    static class Query implements Runnable {
        private final BufferManager manager;
        private final int number;
        private final int reads;
        private long sum;

        Query(BufferManager manager, int number, int reads) {
            this.manager = manager;
            this.number = number;
            this.reads = reads;
        }

        @Override
        public void run() {
            int next = number;
            for (int i = 0; i < reads; i++) {
                Page page = manager.pin(next);
                for (int row : page.rows) {
                    sum += row;
                }
                manager.unpin(page);
                next = (next * 5 + 2 * number + 1) % PAGES;
            }
        }
    }

    static int argument(String[] args, int index, int otherwise) {
        return index < args.length ? Integer.parseInt(args[index]) : otherwise;
    }

    public static void main(String[] args) throws InterruptedException {
        int count = argument(args, 0, QUERIES);
        BufferManager manager = new BufferManager();
        Query[] queries = new Query[count];
        Thread[] threads = new Thread[count];
        for (int i = 0; i < count; i++) {
            queries[i] = new Query(manager, i, argument(args, 1, READS));
            threads[i] = new Thread(queries[i], "query-" + i);
        }
        for (Thread thread : threads) {
            thread.start();
        }
        long sum = 0;
        for (int i = 0; i < count; i++) {
            threads[i].join();
            sum += queries[i].sum;
        }
        if (manager.evictAll() > 0) {
            for (int i = 0; i < PAGES; i++) {
                if (manager.pages[i] != null) {
                    System.out.println("wrong pin count: page " + i + " has " + manager.pages[i].getPins()
                            + " pins, but no query is running");
                }
            }
            System.exit(1);
        }
        System.out.println("queries done, sum " + sum + ", all pages evicted");
    }
}
