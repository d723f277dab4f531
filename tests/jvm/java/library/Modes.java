// SPDX-License-Identifier: MIT
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Every access mode of VarHandle, on a field, a static and elements, which plain code stores to as well. */
final class Modes {
    private static final int MODES = 31;
    private static final VarHandle FIELD, STATIC;
    private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(int[].class);
    private static final Modes SHARED = new Modes();
    private static final int[] ARRAY = new int[3];

    private int field;
    private static int fixed;

    static {
        try {
            FIELD = MethodHandles.lookup().findVarHandle(Modes.class, "field", int.class);
            STATIC = MethodHandles.lookup().findStaticVarHandle(Modes.class, "fixed", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static int onField(int mode, Modes object, int expected, int value) {
        switch (mode) {
        case 0:
            return (int) FIELD.get(object);
        case 1:
            return (int) FIELD.getVolatile(object);
        case 2:
            return (int) FIELD.getOpaque(object);
        case 3:
            return (int) FIELD.getAcquire(object);
        case 4:
            FIELD.set(object, value);
            return 0;
        case 5:
            FIELD.setVolatile(object, value);
            return 0;
        case 6:
            FIELD.setOpaque(object, value);
            return 0;
        case 7:
            FIELD.setRelease(object, value);
            return 0;
        case 8:
            return FIELD.compareAndSet(object, expected, value) ? 1 : 0;
        case 9:
            return FIELD.weakCompareAndSetPlain(object, expected, value) ? 1 : 0;
        case 10:
            return FIELD.weakCompareAndSet(object, expected, value) ? 1 : 0;
        case 11:
            return FIELD.weakCompareAndSetAcquire(object, expected, value) ? 1 : 0;
        case 12:
            return FIELD.weakCompareAndSetRelease(object, expected, value) ? 1 : 0;
        case 13:
            return (int) FIELD.compareAndExchange(object, expected, value);
        case 14:
            return (int) FIELD.compareAndExchangeAcquire(object, expected, value);
        case 15:
            return (int) FIELD.compareAndExchangeRelease(object, expected, value);
        case 16:
            return (int) FIELD.getAndSet(object, value);
        case 17:
            return (int) FIELD.getAndSetAcquire(object, value);
        case 18:
            return (int) FIELD.getAndSetRelease(object, value);
        case 19:
            return (int) FIELD.getAndAdd(object, value);
        case 20:
            return (int) FIELD.getAndAddAcquire(object, value);
        case 21:
            return (int) FIELD.getAndAddRelease(object, value);
        case 22:
            return (int) FIELD.getAndBitwiseOr(object, value);
        case 23:
            return (int) FIELD.getAndBitwiseOrAcquire(object, value);
        case 24:
            return (int) FIELD.getAndBitwiseOrRelease(object, value);
        case 25:
            return (int) FIELD.getAndBitwiseAnd(object, value);
        case 26:
            return (int) FIELD.getAndBitwiseAndAcquire(object, value);
        case 27:
            return (int) FIELD.getAndBitwiseAndRelease(object, value);
        case 28:
            return (int) FIELD.getAndBitwiseXor(object, value);
        case 29:
            return (int) FIELD.getAndBitwiseXorAcquire(object, value);
        default:
            return (int) FIELD.getAndBitwiseXorRelease(object, value);
        }
    }

    private static int onStatic(int mode, int expected, int value) {
        switch (mode) {
        case 0:
            return (int) STATIC.get();
        case 1:
            return (int) STATIC.getVolatile();
        case 2:
            return (int) STATIC.getOpaque();
        case 3:
            return (int) STATIC.getAcquire();
        case 4:
            STATIC.set(value);
            return 0;
        case 5:
            STATIC.setVolatile(value);
            return 0;
        case 6:
            STATIC.setOpaque(value);
            return 0;
        case 7:
            STATIC.setRelease(value);
            return 0;
        case 8:
            return STATIC.compareAndSet(expected, value) ? 1 : 0;
        case 9:
            return STATIC.weakCompareAndSetPlain(expected, value) ? 1 : 0;
        case 10:
            return STATIC.weakCompareAndSet(expected, value) ? 1 : 0;
        case 11:
            return STATIC.weakCompareAndSetAcquire(expected, value) ? 1 : 0;
        case 12:
            return STATIC.weakCompareAndSetRelease(expected, value) ? 1 : 0;
        case 13:
            return (int) STATIC.compareAndExchange(expected, value);
        case 14:
            return (int) STATIC.compareAndExchangeAcquire(expected, value);
        case 15:
            return (int) STATIC.compareAndExchangeRelease(expected, value);
        case 16:
            return (int) STATIC.getAndSet(value);
        case 17:
            return (int) STATIC.getAndSetAcquire(value);
        case 18:
            return (int) STATIC.getAndSetRelease(value);
        case 19:
            return (int) STATIC.getAndAdd(value);
        case 20:
            return (int) STATIC.getAndAddAcquire(value);
        case 21:
            return (int) STATIC.getAndAddRelease(value);
        case 22:
            return (int) STATIC.getAndBitwiseOr(value);
        case 23:
            return (int) STATIC.getAndBitwiseOrAcquire(value);
        case 24:
            return (int) STATIC.getAndBitwiseOrRelease(value);
        case 25:
            return (int) STATIC.getAndBitwiseAnd(value);
        case 26:
            return (int) STATIC.getAndBitwiseAndAcquire(value);
        case 27:
            return (int) STATIC.getAndBitwiseAndRelease(value);
        case 28:
            return (int) STATIC.getAndBitwiseXor(value);
        case 29:
            return (int) STATIC.getAndBitwiseXorAcquire(value);
        default:
            return (int) STATIC.getAndBitwiseXorRelease(value);
        }
    }

    private static int onElement(int mode, int[] array, int index, int expected, int value) {
        switch (mode) {
        case 0:
            return (int) ELEMENT.get(array, index);
        case 1:
            return (int) ELEMENT.getVolatile(array, index);
        case 2:
            return (int) ELEMENT.getOpaque(array, index);
        case 3:
            return (int) ELEMENT.getAcquire(array, index);
        case 4:
            ELEMENT.set(array, index, value);
            return 0;
        case 5:
            ELEMENT.setVolatile(array, index, value);
            return 0;
        case 6:
            ELEMENT.setOpaque(array, index, value);
            return 0;
        case 7:
            ELEMENT.setRelease(array, index, value);
            return 0;
        case 8:
            return ELEMENT.compareAndSet(array, index, expected, value) ? 1 : 0;
        case 9:
            return ELEMENT.weakCompareAndSetPlain(array, index, expected, value) ? 1 : 0;
        case 10:
            return ELEMENT.weakCompareAndSet(array, index, expected, value) ? 1 : 0;
        case 11:
            return ELEMENT.weakCompareAndSetAcquire(array, index, expected, value) ? 1 : 0;
        case 12:
            return ELEMENT.weakCompareAndSetRelease(array, index, expected, value) ? 1 : 0;
        case 13:
            return (int) ELEMENT.compareAndExchange(array, index, expected, value);
        case 14:
            return (int) ELEMENT.compareAndExchangeAcquire(array, index, expected, value);
        case 15:
            return (int) ELEMENT.compareAndExchangeRelease(array, index, expected, value);
        case 16:
            return (int) ELEMENT.getAndSet(array, index, value);
        case 17:
            return (int) ELEMENT.getAndSetAcquire(array, index, value);
        case 18:
            return (int) ELEMENT.getAndSetRelease(array, index, value);
        case 19:
            return (int) ELEMENT.getAndAdd(array, index, value);
        case 20:
            return (int) ELEMENT.getAndAddAcquire(array, index, value);
        case 21:
            return (int) ELEMENT.getAndAddRelease(array, index, value);
        case 22:
            return (int) ELEMENT.getAndBitwiseOr(array, index, value);
        case 23:
            return (int) ELEMENT.getAndBitwiseOrAcquire(array, index, value);
        case 24:
            return (int) ELEMENT.getAndBitwiseOrRelease(array, index, value);
        case 25:
            return (int) ELEMENT.getAndBitwiseAnd(array, index, value);
        case 26:
            return (int) ELEMENT.getAndBitwiseAndAcquire(array, index, value);
        case 27:
            return (int) ELEMENT.getAndBitwiseAndRelease(array, index, value);
        case 28:
            return (int) ELEMENT.getAndBitwiseXor(array, index, value);
        case 29:
            return (int) ELEMENT.getAndBitwiseXorAcquire(array, index, value);
        default:
            return (int) ELEMENT.getAndBitwiseXorRelease(array, index, value);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Race.run(3, (me, seen) -> {
            int sum = 0;
            for (int i = 0; i < 8 * MODES; i++) {
                int mode = (i * (me + 2) + me) % MODES, value = i % 3 + me;
                sum = sum * 31 + onField(mode, SHARED, SHARED.field, value);
                sum = sum * 31 + onStatic(mode, fixed, value);
                sum = sum * 31 + onElement(mode, ARRAY, i % 3, ARRAY[i % 3], value);
                SHARED.field += me;
                fixed ^= i;
                ARRAY[me]++;
                if (i % 60 == 0)
                    seen.append(sum).append(' ');
            }
            seen.append(sum);
        });
        System.out.println(SHARED.field + " " + fixed + " " + ARRAY[0] + " " + ARRAY[1] + " " + ARRAY[2]);
    }
}
