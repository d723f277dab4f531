// SPDX-License-Identifier: MIT
package java.lang;

import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.util.Arrays;
import jdk.internal.misc.Unsafe;

/**
 * Methods whose results are inputs because the user said so: what the wrappers call that value_methods.c puts in front of them.
 *
 * <p>Recording, the method runs as one that is not recorded, and then its result, or the exception that it threw, goes
 * to the value stream. Replaying, it does not run. A thread that the engine does not know just calls the method.
 */
public final class DittoValues {
    /** The kind of input; inputs.h has all. */
    private static final int RESULT = 49;

    // What a wrapper is to do; value_methods.c knows REPLAYED, too.
    private static final int PLAIN = 0;
    private static final int RECORDED = 1;
    private static final int REPLAYED = 2;

    // How a method ended.
    private static final int RETURNED = 0;
    private static final int THREW = 1;

    private static final Unsafe U = Unsafe.getUnsafe();
    private static final long MESSAGE = U.objectFieldOffset(Throwable.class, "detailMessage");
    private static final long CAUSE = U.objectFieldOffset(Throwable.class, "cause");
    private static final long STACK = U.objectFieldOffset(Throwable.class, "stackTrace");
    /** How an element is printed: what of its loader and module. */
    private static final long FORMAT = U.objectFieldOffset(StackTraceElement.class, "format");

    /** Of the methods behind wrappers, as in value_methods.c. */
    private static final String PREFIX = "$ditto$";

    private DittoValues() {
    }

    private static long number(long value) {
        return DittoHooks.input(RESULT, value);
    }

    /** Before the method; answers what the wrapper is to do. */
    public static int begin(ClassLoader loader) throws Throwable {
        if (!DittoHooks.isKnown())
            return PLAIN;
        if (DittoQuick.REPLAY) {
            if (number(RETURNED) == THREW)
                throw exception(loader);
            return REPLAYED;
        }
        DittoHooks.beginIgnored();
        return RECORDED;
    }

    private static void returned() {
        DittoHooks.endIgnored();
        number(RETURNED);
    }

    public static Throwable threw(Throwable exception, int how) {
        if (how == RECORDED) {
            // Throwable locks itself, which must not be recorded.
            StackTraceElement[] stack = hideWrapper(exception);
            DittoHooks.endIgnored();
            number(THREW);
            record(exception, stack);
        }
        return exception;
    }

    // After the method, with what it answered; and in its stead.

    public static void result(int how) {
        if (how == RECORDED)
            returned();
    }

    public static int result(int value, int how) {
        return (int) result((long) value, how);
    }

    public static long result(long value, int how) {
        if (how == RECORDED)
            returned();
        return how == PLAIN ? value : number(value);
    }

    public static float result(float value, int how) {
        return Float.intBitsToFloat((int) result((long) Float.floatToRawIntBits(value), how));
    }

    public static double result(double value, int how) {
        return Double.longBitsToDouble(result(Double.doubleToRawLongBits(value), how));
    }

    /** A String, an array of primitives of that type, or null. */
    public static Object result(Object value, Class<?> type, int how) {
        if (how == RECORDED)
            returned();
        if (how == PLAIN)
            return value;
        return type == String.class ? text((String) value) : array(value, type);
    }

    private static String text(String value) {
        char[] letters = (char[]) array(value == null ? null : value.toCharArray(), char[].class);
        return letters == null ? null : new String(letters);
    }

    private static Object array(Object value, Class<?> type) {
        // One more than the length: 0 is null.
        long length = number(value == null ? 0 : Array.getLength(value) + 1L) - 1;
        if (length < 0)
            return null;
        Object array = DittoQuick.REPLAY ? Array.newInstance(type.getComponentType(), (int) length) : value;
        ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(length * size(type)));
        if (!DittoQuick.REPLAY)
            copy(array, bytes, true);
        DittoHooks.inputBytes(RESULT, bytes.array());
        if (DittoQuick.REPLAY)
            copy(array, bytes, false);
        return array;
    }

    private static int size(Class<?> type) {
        if (type == byte[].class || type == boolean[].class)
            return 1;
        if (type == char[].class || type == short[].class)
            return 2;
        return type == int[].class || type == float[].class ? 4 : 8;
    }

    /** The elements to the bytes, or back. */
    private static void copy(Object array, ByteBuffer bytes, boolean there) {
        for (int i = 0; i < Array.getLength(array); i++) {
            if (array instanceof byte[] of) {
                if (there)
                    bytes.put(of[i]);
                else
                    of[i] = bytes.get();
            } else if (array instanceof boolean[] of) {
                if (there)
                    bytes.put((byte) (of[i] ? 1 : 0));
                else
                    of[i] = bytes.get() != 0;
            } else if (array instanceof char[] of) {
                if (there)
                    bytes.putChar(of[i]);
                else
                    of[i] = bytes.getChar();
            } else if (array instanceof short[] of) {
                if (there)
                    bytes.putShort(of[i]);
                else
                    of[i] = bytes.getShort();
            } else if (array instanceof int[] of) {
                if (there)
                    bytes.putInt(of[i]);
                else
                    of[i] = bytes.getInt();
            } else if (array instanceof float[] of) {
                if (there)
                    bytes.putInt(Float.floatToRawIntBits(of[i]));
                else
                    of[i] = Float.intBitsToFloat(bytes.getInt());
            } else if (array instanceof double[] of) {
                if (there)
                    bytes.putLong(Double.doubleToRawLongBits(of[i]));
                else
                    of[i] = Double.longBitsToDouble(bytes.getLong());
            } else if (array instanceof long[] of) {
                if (there)
                    bytes.putLong(of[i]);
                else
                    of[i] = bytes.getLong();
            }
        }
    }

    /** An exception like the recorded one, with its stack trace, without running its constructor. */
    private static Throwable exception(ClassLoader loader) throws Throwable {
        Throwable exception = (Throwable) U.allocateInstance(Class.forName(text(null), false, loader));
        U.putReference(exception, MESSAGE, text(null));
        U.putReference(exception, CAUSE, exception);
        StackTraceElement[] stack = new StackTraceElement[(int) number(0)];
        for (int i = 0; i < stack.length; i++) {
            stack[i] = new StackTraceElement(text(null), text(null), text(null), text(null), text(null), text(null),
                    (int) number(0));
            U.putByte(stack[i], FORMAT, (byte) number(0));
        }
        U.putReference(exception, STACK, stack);
        return exception;
    }

    private static void record(Throwable exception, StackTraceElement[] stack) {
        text(exception.getClass().getName());
        text((String) U.getReference(exception, MESSAGE));
        number(stack.length);
        for (StackTraceElement element : stack) {
            text(element.getClassLoaderName());
            text(element.getModuleName());
            text(element.getModuleVersion());
            text(element.getClassName());
            text(element.getMethodName());
            text(element.getFileName());
            number(element.getLineNumber());
            number(U.getByte(element, FORMAT));
        }
    }

    /** Shows the method by its own name, and not what is put in front of it. */
    private static StackTraceElement[] hideWrapper(Throwable exception) {
        StackTraceElement[] stack = exception.getStackTrace();
        int length = 0;
        for (int i = 0; i < stack.length; i++) {
            StackTraceElement at = stack[i];
            if (at.getMethodName().startsWith(PREFIX)) {
                byte format = U.getByte(at, FORMAT);
                at = new StackTraceElement(at.getClassLoaderName(), at.getModuleName(), at.getModuleVersion(),
                        at.getClassName(), at.getMethodName().substring(PREFIX.length()), at.getFileName(),
                        at.getLineNumber());
                U.putByte(at, FORMAT, format);
                i++;
            }
            stack[length++] = at;
        }
        if (length < stack.length) {
            stack = Arrays.copyOf(stack, length);
            exception.setStackTrace(stack);
        }
        return stack;
    }
}
