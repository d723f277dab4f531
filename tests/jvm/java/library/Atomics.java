// SPDX-License-Identifier: MIT
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicMarkableReference;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.concurrent.atomic.AtomicStampedReference;

/** java.util.concurrent.atomic, but for the adders. */
final class Atomics {
    static final AtomicInteger INT = new AtomicInteger();
    static final AtomicLong LONG = new AtomicLong();
    static final AtomicBoolean FLAG = new AtomicBoolean();
    static final AtomicReference<String> TEXT = new AtomicReference<>("");
    static final AtomicIntegerArray INTS = new AtomicIntegerArray(20);
    static final AtomicReferenceArray<Integer> BOXES = new AtomicReferenceArray<>(4);
    static final AtomicStampedReference<String> STAMPED = new AtomicStampedReference<>("a", 0);
    static final AtomicMarkableReference<String> MARKED = new AtomicMarkableReference<>("a", false);

    static final class Fields {
        volatile int number;
        volatile long wide;
        volatile String text = "x";
    }

    static final Fields FIELDS = new Fields();
    static final AtomicIntegerFieldUpdater<Fields> NUMBER =
            AtomicIntegerFieldUpdater.newUpdater(Fields.class, "number");
    static final AtomicLongFieldUpdater<Fields> WIDE = AtomicLongFieldUpdater.newUpdater(Fields.class, "wide");
    static final AtomicReferenceFieldUpdater<Fields, String> FIELD_TEXT =
            AtomicReferenceFieldUpdater.newUpdater(Fields.class, String.class, "text");

    public static void main(String[] arguments) throws Exception {
        Race.run(3, (me, seen) -> {
            int won = 0;
            for (int i = 0; i < 300; i++) {
                int n = me == 0 ? INT.incrementAndGet() : INT.getAndUpdate(x -> x ^ 5);
                int m = INT.accumulateAndGet(me, (x, y) -> x + y);
                won += INT.compareAndSet(m, m + 1) ? 1 : 0;
                won += INT.weakCompareAndSetVolatile(m + 1, n) ? 1 : 0;
                won += INT.compareAndExchange(n, n + 2) == n ? 1 : 0;
                long wide = LONG.getAndAdd(n);
                won += LONG.compareAndSet(wide + n, 7) ? 1 : 0;
                won += FLAG.compareAndSet(false, true) ? 1 : 0;
                if (FLAG.getAndSet(false))
                    won++;
                TEXT.updateAndGet(s -> s.length() > 5 ? "" : s + me);
                INTS.getAndAdd(i % 20, me + 1);
                won += INTS.compareAndSet((i + 1) % 20, 30, 0) ? 1 : 0;
                BOXES.getAndSet(i % 4, i);
                Integer box = BOXES.get((i + me) % 4);
                int[] stamp = new int[1];
                String s = STAMPED.get(stamp);
                won += STAMPED.compareAndSet(s, s.equals("a") ? "b" : "a", stamp[0], stamp[0] + 1) ? 1 : 0;
                won += MARKED.attemptMark("a", !MARKED.isMarked()) ? 1 : 0;
                won += NUMBER.getAndIncrement(FIELDS) % 3;
                FIELDS.number += 2;
                won += WIDE.compareAndSet(FIELDS, FIELDS.wide, i) ? 1 : 0;
                FIELD_TEXT.getAndAccumulate(FIELDS, "y", (a, b) -> a.length() > 3 ? b : a + b);
                if (i % 60 == 0)
                    seen.append(n).append(' ').append(TEXT.get()).append(' ').append(box).append(' ')
                            .append(FIELDS.text).append("; ");
            }
            seen.append("won ").append(won);
        });
        System.out.println(INT + " " + LONG + " " + TEXT + " " + INTS + " " + FIELDS.number);
    }
}
