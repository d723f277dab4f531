// SPDX-License-Identifier: MIT
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.DoubleAccumulator;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/** Concurrent collections that never block, copies on write, adders; and DelayQueue. */
final class Concurrents {
    static final class Later implements Delayed {
        final int number;
        int seen;

        Later(int number) {
            this.number = number;
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(number % 3 == 0 ? 100 : -1, TimeUnit.NANOSECONDS) - (seen++ > 3 ? 200 : 0);
        }

        @Override
        public int compareTo(Delayed other) {
            return Integer.compare(number, ((Later) other).number);
        }
    }

    public static void main(String[] arguments) throws Exception {
        ConcurrentLinkedQueue<Integer> queue = new ConcurrentLinkedQueue<>();
        ConcurrentLinkedDeque<Integer> deque = new ConcurrentLinkedDeque<>();
        CopyOnWriteArrayList<Integer> list = new CopyOnWriteArrayList<>();
        CopyOnWriteArraySet<Integer> set = new CopyOnWriteArraySet<>();
        LongAdder adder = new LongAdder();
        LongAccumulator most = new LongAccumulator(Math::max, 0);
        DoubleAccumulator product = new DoubleAccumulator((a, b) -> a * 1.5 + b, 1);
        DelayQueue<Later> later = new DelayQueue<>();
        Race.run(3, (me, seen) -> {
            for (int i = 0; i < 80; i++) {
                queue.add(i * 3 + me);
                Integer head = i % 2 == 0 ? queue.poll() : null;
                if (i % 3 == me)
                    deque.addFirst(i);
                else
                    deque.addLast(-i);
                Integer end = i % 2 == 1 ? deque.pollLast() : deque.pollFirst();
                list.addIfAbsent(i % 17 + me);
                if (list.size() > 9)
                    list.remove(list.size() / 2);
                set.add(i % 7);
                set.remove((i + me) % 7);
                adder.add(i);
                most.accumulate(i * me);
                product.accumulate(me);
                later.add(new Later(i * 3 + me));
                Later due = later.poll();
                if (i % 16 == 0)
                    seen.append(head).append(' ').append(end).append(' ').append(list.size()).append(' ')
                            .append(set.size()).append(' ').append(adder).append(' ').append(most).append(' ')
                            .append(due == null ? -1 : due.number).append("; ");
            }
        });
        System.out.println(queue + " " + deque + " " + list + " " + set + " " + adder + " " + product + " " + later.size());
    }
}
