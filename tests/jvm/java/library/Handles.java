// SPDX-License-Identifier: MIT
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import sun.misc.Unsafe;

/** VarHandles of fields, statics and elements, and sun.misc.Unsafe, mixed with plain accesses to the same places. */
final class Handles {
    int number;
    long wide;
    String text = "";
    double real;
    static int count;
    static Object any = "";

    static final VarHandle NUMBER, WIDE, TEXT, REAL, COUNT, ANY;
    static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);
    static final VarHandle TEXTS = MethodHandles.arrayElementVarHandle(String[].class);
    static final Unsafe U;
    static final long OFFSET;
    static final Handles SHARED = new Handles();
    static final int[] INT_ARRAY = new int[30];
    static final String[] TEXT_ARRAY = {"a", "b", "c"};

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            NUMBER = lookup.findVarHandle(Handles.class, "number", int.class);
            WIDE = lookup.findVarHandle(Handles.class, "wide", long.class);
            TEXT = lookup.findVarHandle(Handles.class, "text", String.class);
            REAL = lookup.findVarHandle(Handles.class, "real", double.class);
            COUNT = lookup.findStaticVarHandle(Handles.class, "count", int.class);
            ANY = lookup.findStaticVarHandle(Handles.class, "any", Object.class);
            Field field = Unsafe.class.getDeclaredField("theUnsafe");
            field.setAccessible(true);
            U = (Unsafe) field.get(null);
            OFFSET = U.objectFieldOffset(Handles.class.getDeclaredField("number"));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Race.run(3, (me, seen) -> {
            int won = 0;
            for (int i = 0; i < 200; i++) {
                Handles it = SHARED;
                int n = (int) NUMBER.getVolatile(it);
                won += NUMBER.compareAndSet(it, n, n + 1) ? 1 : 0;
                won += NUMBER.weakCompareAndSetPlain(it, n + 1, n + me) ? 1 : 0;
                it.number += me;
                won += U.compareAndSwapInt(it, OFFSET, n + me, n + 3) ? 1 : 0;
                U.putOrderedInt(it, OFFSET, U.getIntVolatile(it, OFFSET) ^ 1);
                won += (int) NUMBER.getAndBitwiseOr(it, 16) & 1;
                long wide = (long) WIDE.getAndAdd(it, (long) i);
                won += (long) WIDE.compareAndExchange(it, wide + i, wide) == wide + i ? 1 : 0;
                it.wide++;
                String text = (String) TEXT.getAcquire(it);
                won += TEXT.compareAndSet(it, text, text.length() > 6 ? "" : text + me) ? 1 : 0;
                TEXT.compareAndExchange(it, text, "x");
                won += (double) REAL.compareAndExchangeAcquire(it, 0.0, 1.5) == 0.0 ? 1 : 0;
                REAL.setOpaque(it, (double) (i % 2));
                won += (int) COUNT.getAndAdd(1) % 2;
                count += 2;
                ANY.setRelease((Object) text);
                won += ANY.getOpaque() == text ? 1 : 0;
                won += (int) INTS.getAndAdd(INT_ARRAY, i % 30, me) % 3;
                INT_ARRAY[(i + 1) % 30]++;
                won += INTS.compareAndSet(INT_ARRAY, (i + 2) % 30, 5, 0) ? 1 : 0;
                String old = (String) TEXTS.getAndSet(TEXT_ARRAY, i % 3, text);
                try {
                    TEXTS.set(TEXT_ARRAY, 3, text);
                } catch (ArrayIndexOutOfBoundsException e) {
                    won++;
                }
                try {
                    NUMBER.set((Handles) null, 1);
                } catch (NullPointerException e) {
                    won++;
                }
                if (i % 40 == 0)
                    seen.append(n).append(' ').append(text).append(' ').append(old).append("; ");
            }
            seen.append(won);
        });
        System.out.println(SHARED.number + " " + SHARED.wide + " " + SHARED.text + " " + count);
    }
}
