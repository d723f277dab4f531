// SPDX-License-Identifier: MIT
/*
 * Image conversion: a master puts jobs into a bounded queue, workers take and do them. A job may fail
 * at the first attempt, for want of memory; the worker then gives it back, to be done later.
 *
 * Bug pattern: orphaned thread.
 * Where: JobQueue.giveBack() puts a job back at the head and does not look whether the queue has
 *     become full again since the job was taken. If it has, the last job is overwritten and the
 *     queue counts one more than it has. The master throws when this comes out; but it was the one
 *     to tell the workers when to stop.
 * Symptom: the master is dead and the workers wait for jobs for ever.
 * A failing run prints the exception "job queue inconsistent" and then hangs.
 *
 *     java ProducerConsumer [WORKERS] [JOBS]
 */
public class ProducerConsumer {
    static final int WORKERS = 3;
    static final int JOBS = 150;
    static final int CAPACITY = 8;

    static class Job {
        final int image;
        private int attempts;
        private int result;

        Job(int image) {
            this.image = image;
        }

        /** False if it has to be tried again. */
        boolean convert() {
            attempts++;
            if (image % 25 == 7 && attempts == 1) {
                return false;
            }
            int pixel = image;
            for (int i = 0; i < 60; i++) {
                pixel = pixel * 31 + (pixel >>> 5);
            }
            result = pixel;
            return true;
        }
    }

    static class JobQueue {
        private final Job[] jobs = new Job[CAPACITY];
        private int head;
        private int count;
        private int finished;
        private boolean stopped;
        /** A place that should have held a job was found empty. */
        private boolean damaged;

        synchronized void put(Job job) throws InterruptedException {
            while (count == CAPACITY) {
                wait();
            }
            int tail = (head + count) % CAPACITY;
            check(jobs[tail] == null);
            jobs[tail] = job;
            count++;
            notifyAll();
        }

        /** The next job; null when the work is over. */
        synchronized Job take() throws InterruptedException {
            Job job = null;
            while (job == null) {
                while (count == 0 && !stopped) {
                    wait();
                }
                if (count == 0) {
                    return null;
                }
                job = jobs[head];
                jobs[head] = null;
                head = (head + 1) % CAPACITY;
                count--;
                damaged |= job == null;
                notifyAll();
            }
            return job;
        }

        synchronized void giveBack(Job job) {
            head = (head + CAPACITY - 1) % CAPACITY;
            jobs[head] = job;
            count++;
            notifyAll();
        }

        synchronized void finish() {
            finished++;
            notifyAll();
        }

        private void check(boolean sound) {
            if (damaged || !sound) {
                throw new IllegalStateException("job queue inconsistent: " + count + " jobs, head at " + head);
            }
        }

        /** Waits for the last of all jobs, then sends the workers home. */
        synchronized void stopAfter(int all) throws InterruptedException {
            while (finished < all) {
                check(true);
                wait();
            }
            stopped = true;
            notifyAll();
        }
    }

    static class Worker extends Thread {
        private final JobQueue queue;

        Worker(JobQueue queue, int number) {
            super("worker-" + number);
            this.queue = queue;
        }

        @Override
        public void run() {
            try {
                for (Job job = queue.take(); job != null; job = queue.take()) {
                    if (job.convert()) {
                        queue.finish();
                    } else {
                        queue.giveBack(job);
                    }
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException("nobody interrupts a worker", e);
            }
        }
    }

    static int argument(String[] args, int index, int otherwise) {
        return index < args.length ? Integer.parseInt(args[index]) : otherwise;
    }

    public static void main(String[] args) throws InterruptedException {
        JobQueue queue = new JobQueue();
        Worker[] workers = new Worker[argument(args, 0, WORKERS)];
        for (int i = 0; i < workers.length; i++) {
            workers[i] = new Worker(queue, i);
            workers[i].start();
        }
        Job[] jobs = new Job[argument(args, 1, JOBS)];
        for (int i = 0; i < jobs.length; i++) {
            jobs[i] = new Job(i);
            queue.put(jobs[i]);
        }
        queue.stopAfter(jobs.length);
        int check = 0;
        int attempts = 0;
        for (Worker worker : workers) {
            worker.join();
        }
        for (Job job : jobs) {
            check = 31 * check + job.result;
            attempts += job.attempts;
        }
        System.out.println("converted " + jobs.length + " images in " + attempts + " attempts, check " + check);
    }
}
