// SPDX-License-Identifier: MIT
package java.lang;

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
}
