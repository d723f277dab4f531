// SPDX-License-Identifier: MIT
/*
 * A microbenchmark whose result cannot be foreseen: threads load and store randomly chosen fields of
 * randomly chosen shared objects, without any synchronization. What a thread stores depends on what
 * it loaded, so two runs that differ in the order of one race soon differ everywhere; a replay that
 * prints the same has had every race end in the same way.
 *
 * The choices themselves are the same in every run. Operations per thread count loads and stores
 * together; the ratio LOADS:STORES is kept on average. An object has 1 to 16 fields in use. All
 * threads begin together, when the last has arrived.
 *
 * There is no bug here but the races, and no failing run: it prints a digest of what each thread
 * loaded and of the final values, and the values themselves if they are few. Exit status 0.
 *
 *     java Micro [THREADS] [OPERATIONS] [LOADS:STORES] [FIELDS] [OBJECTS]
 */
public class Micro {
    static final int THREADS = 4;
    static final int OPERATIONS = 10_000;
    static final String RATIO = "3:1";
    static final int FIELDS = 4;
    static final int OBJECTS = 8;
    static final int MOST_FIELDS = 16;

    static class Shared {
        long f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15;

        long load(int field) {
            switch (field) {
                case 0: return f0;
                case 1: return f1;
                case 2: return f2;
                case 3: return f3;
                case 4: return f4;
                case 5: return f5;
                case 6: return f6;
                case 7: return f7;
                case 8: return f8;
                case 9: return f9;
                case 10: return f10;
                case 11: return f11;
                case 12: return f12;
                case 13: return f13;
                case 14: return f14;
                default: return f15;
            }
        }

        void store(int field, long value) {
            switch (field) {
                case 0: f0 = value; break;
                case 1: f1 = value; break;
                case 2: f2 = value; break;
                case 3: f3 = value; break;
                case 4: f4 = value; break;
                case 5: f5 = value; break;
                case 6: f6 = value; break;
                case 7: f7 = value; break;
                case 8: f8 = value; break;
                case 9: f9 = value; break;
                case 10: f10 = value; break;
                case 11: f11 = value; break;
                case 12: f12 = value; break;
                case 13: f13 = value; break;
                case 14: f14 = value; break;
                default: f15 = value; break;
            }
        }
    }

    /** Where threads wait for each other before they begin. */
    static class Gate {
        private int missing;

        Gate(int threads) {
            missing = threads;
        }

        synchronized void pass() throws InterruptedException {
            missing--;
            if (missing == 0) {
                notifyAll();
            }
            while (missing > 0) {
                wait();
            }
        }
    }

    static class Worker extends Thread {
        private final Gate gate;
        private final Shared[] objects;
        private final int number;
        private final int operations;
        private final int loads;
        private final int stores;
        private final int fields;
        private long digest;

        Worker(Gate gate, Shared[] objects, int number, int operations, int loads, int stores, int fields) {
            super("worker-" + number);
            this.gate = gate;
            this.objects = objects;
            this.number = number;
            this.operations = operations;
            this.loads = loads;
            this.stores = stores;
            this.fields = fields;
        }

        @Override
        public void run() {
            try {
                gate.pass();
            } catch (InterruptedException e) {
                throw new IllegalStateException("nobody interrupts a worker", e);
            }
            digest = operate();
        }

        /** Everything but the shared objects is in local variables, so as not to count as an access. */
        private long operate() {
            Shared[] objects = this.objects;
            int operations = this.operations;
            int loads = this.loads;
            int both = loads + this.stores;
            int fields = this.fields;
            long random = 0x9E3779B97F4A7C15L * (number + 1);
            long last = number;
            long digest = 0;
            for (int i = 0; i < operations; i++) {
                random ^= random << 13;
                random ^= random >>> 7;
                random ^= random << 17;
                Shared object = objects[(int) (random >>> 40) % objects.length];
                int field = (int) (random >>> 16 & 0xFFFF) % fields;
                if ((int) (random & 0xFFFF) % both < loads) {
                    last = object.load(field);
                    digest = 31 * digest + last;
                } else {
                    object.store(field, last * 6364136223846793005L + i);
                }
            }
            return digest;
        }
    }

    static int argument(String[] args, int index, int otherwise) {
        return index < args.length ? Integer.parseInt(args[index]) : otherwise;
    }

    public static void main(String[] args) throws InterruptedException {
        Worker[] workers = new Worker[argument(args, 0, THREADS)];
        int operations = argument(args, 1, OPERATIONS);
        String[] ratio = (args.length > 2 ? args[2] : RATIO).split(":");
        int loads = argument(ratio, 0, 0);
        int stores = argument(ratio, 1, 0);
        int fields = argument(args, 3, FIELDS);
        Shared[] objects = new Shared[argument(args, 4, OBJECTS)];
        if (loads + stores < 1 || fields < 1 || fields > MOST_FIELDS || objects.length < 1) {
            System.err.println("use: java Micro [THREADS] [OPERATIONS] [LOADS:STORES] [FIELDS] [OBJECTS], with 1 to "
                    + MOST_FIELDS + " fields");
            System.exit(2);
        }
        for (int i = 0; i < objects.length; i++) {
            objects[i] = new Shared();
        }
        Gate gate = new Gate(workers.length);
        for (int i = 0; i < workers.length; i++) {
            workers[i] = new Worker(gate, objects, i, operations, loads, stores, fields);
            workers[i].start();
        }

        StringBuilder report = new StringBuilder();
        for (int i = 0; i < workers.length; i++) {
            workers[i].join();
            report.append("worker ").append(i).append(" loaded ").append(Long.toHexString(workers[i].digest))
                    .append('\n');
        }
        long digest = 0;
        for (int i = 0; i < objects.length; i++) {
            for (int field = 0; field < fields; field++) {
                long value = objects[i].load(field);
                digest = 31 * digest + value;
                if (objects.length * fields <= 64) {
                    report.append(field == 0 ? "object " + i + ":" : "").append(' ').append(Long.toHexString(value))
                            .append(field == fields - 1 ? "\n" : "");
                }
            }
        }
        System.out.print(report.append("final values ").append(Long.toHexString(digest)).append('\n'));
    }
}
