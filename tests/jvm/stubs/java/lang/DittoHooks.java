// SPDX-License-Identifier: MIT
package java.lang;

import java.lang.invoke.VarHandle;

/** Hooks that do nothing: they let the verifier and the boot of a JVM judge instrumented classes. */
public final class DittoHooks {
    private DittoHooks() {
    }

    public static void beforeLoad(Object object, int site) {
    }

    public static void afterLoad(int site) {
    }

    public static void beforeStore(Object object, int site) {
    }

    public static void afterStore(int site) {
    }

    public static void beforeStaticLoad(int site) {
    }

    public static void afterStaticLoad(int site) {
    }

    public static void beforeStaticStore(int site) {
    }

    public static void afterStaticStore(int site) {
    }

    public static void beforeArrayLoad(Object array, int index, int site) {
    }

    public static void afterArrayLoad(int site) {
    }

    public static void beforeArrayStore(Object array, int index, int site) {
    }

    public static void afterArrayStore(int site) {
    }

    public static Object same(Object object) {
        return object;
    }

    public static void beforeAcquire(Object lock, int site) {
    }

    public static void afterAcquire(Object lock, int site) {
    }

    public static void beforeRelease(Object lock, int site) {
    }

    public static void abandon() {
    }

    public static void beginIgnored() {
    }

    public static void endIgnored() {
    }

    public static void loaded(int value) {
    }

    public static void loaded(long value) {
    }

    public static void loaded(float value) {
    }

    public static void loaded(double value) {
    }

    public static void loaded(Object value) {
    }

    public static void stored(int value) {
    }

    public static void stored(long value) {
    }

    public static void stored(float value) {
    }

    public static void stored(double value) {
    }

    public static void stored(Object value) {
    }

    public static void beforeRawLoad(Object base, long offset, int site) {
    }

    public static void beforeRawStore(Object base, long offset, int site) {
    }

    public static void beforeRawUpdate(Object base, long offset, int site) {
    }

    public static void beforeVarLoad(VarHandle handle, Object first, int index, int site) {
    }

    public static void beforeVarStore(VarHandle handle, Object first, int index, int site) {
    }

    public static void beforeVarUpdate(VarHandle handle, Object first, int index, int site) {
    }

    public static void afterUpdate(boolean stored, int site) {
    }

    public static boolean isSame(Object found, Object expected) {
        return found == expected;
    }

    public static boolean isSame(int found, int expected) {
        return found == expected;
    }

    public static boolean isSame(long found, long expected) {
        return found == expected;
    }

    public static boolean isSame(float found, float expected) {
        return found == expected;
    }

    public static boolean isSame(double found, double expected) {
        return found == expected;
    }

    public static void beforeTextLoad(Object builder, int site) {
    }

    public static void beforeTextStore(Object builder, int site) {
    }

    public static Object look(Object array, int site) {
        return array;
    }

    public static Object blank(Object array, int site) {
        return array;
    }

    public static void put(Object made, Object array, int from, int to, int site) {
    }

    public static String textOf(Object object, int site) {
        return String.valueOf(object);
    }

    public static String contentsOf(CharSequence sequence, int site) {
        return String.valueOf(sequence);
    }

    public static String partOf(CharSequence sequence, int start, int end, int site) {
        return String.valueOf(sequence).substring(start, end);
    }

    public static char[] charactersOf(char[] array, int site) {
        return array;
    }
}
