// SPDX-License-Identifier: MIT
package java.lang;

import java.io.PrintStream;
import java.lang.invoke.VarHandle;
import jdk.internal.vm.annotation.DontInline;

/**
 * What recorded classes of the JDK call around their accesses: the hooks of {@link DittoHooks}, unless the calls are muted.
 * A muted call begins and ends outside of these classes, so an after hook finds what its before hook has found.
 *
 * <p>They are not inlined: much of the library runs when the JVM starts, and the compilers would have to do with a multiple
 * of its code.
 */
public final class DittoLibrary {
    private DittoLibrary() {
    }

    @DontInline
    public static void beforeLoad(Object object, int site) {
        if (DittoHooks.begun && !DittoHooks.isMuted())
            DittoHooks.beforeLoad(object, site);
    }

    @DontInline
    public static void beforeStore(Object object, int site) {
        if (DittoHooks.begun && !DittoHooks.isMuted())
            DittoHooks.beforeStore(object, site);
    }

    @DontInline
    public static void beforeStaticLoad(int site) {
        if (DittoHooks.begun && !DittoHooks.isMuted())
            DittoHooks.beforeStaticLoad(site);
    }

    @DontInline
    public static void beforeStaticStore(int site) {
        if (DittoHooks.begun && !DittoHooks.isMuted())
            DittoHooks.beforeStaticStore(site);
    }

    @DontInline
    public static void beforeArrayLoad(Object array, int index, int site) {
        if (DittoHooks.begun && !DittoHooks.isMuted())
            DittoHooks.beforeArrayLoad(array, index, site);
    }

    @DontInline
    public static void beforeArrayStore(Object array, int index, int site) {
        if (DittoHooks.begun && !DittoHooks.isMuted())
            DittoHooks.beforeArrayStore(array, index, site);
    }

    @DontInline
    public static void beforeRawLoad(Object base, long offset, int site) {
        if (DittoHooks.begun && !DittoHooks.isMuted())
            DittoHooks.beforeRawLoad(base, offset, site);
    }

    @DontInline
    public static void beforeRawStore(Object base, long offset, int site) {
        if (DittoHooks.begun && !DittoHooks.isMuted())
            DittoHooks.beforeRawStore(base, offset, site);
    }

    @DontInline
    public static void beforeRawUpdate(Object base, long offset, int site) {
        if (DittoHooks.begun && !DittoHooks.isMuted())
            DittoHooks.beforeRawUpdate(base, offset, site);
    }

    @DontInline
    public static void beforeTextLoad(Object builder, int site) {
        if (DittoHooks.begun && !DittoHooks.isMuted())
            DittoHooks.beforeTextLoad(builder, site);
    }

    @DontInline
    public static void beforeTextStore(Object builder, int site) {
        if (DittoHooks.begun && !DittoHooks.isMuted())
            DittoHooks.beforeTextStore(builder, site);
    }

    @DontInline
    public static void beforeVarLoad(VarHandle handle, Object first, int index, int site) {
        if (DittoHooks.begun && !DittoHooks.isMuted())
            DittoHooks.beforeVarLoad(handle, first, index, site);
    }

    @DontInline
    public static void beforeVarStore(VarHandle handle, Object first, int index, int site) {
        if (DittoHooks.begun && !DittoHooks.isMuted())
            DittoHooks.beforeVarStore(handle, first, index, site);
    }

    @DontInline
    public static void beforeVarUpdate(VarHandle handle, Object first, int index, int site) {
        if (DittoHooks.begun && !DittoHooks.isMuted())
            DittoHooks.beforeVarUpdate(handle, first, index, site);
    }

    @DontInline
    public static void afterLoad(int site) {
        if (DittoHooks.begun && !DittoHooks.isMuted())
            DittoHooks.afterLoad(site);
    }

    @DontInline
    public static void afterStore(int site) {
        if (DittoHooks.begun && !DittoHooks.isMuted())
            DittoHooks.afterStore(site);
    }

    @DontInline
    public static void afterStaticLoad(int site) {
        if (DittoHooks.begun && !DittoHooks.isMuted())
            DittoHooks.afterStaticLoad(site);
    }

    @DontInline
    public static void afterStaticStore(int site) {
        if (DittoHooks.begun && !DittoHooks.isMuted())
            DittoHooks.afterStaticStore(site);
    }

    @DontInline
    public static void afterArrayLoad(int site) {
        if (DittoHooks.begun && !DittoHooks.isMuted())
            DittoHooks.afterArrayLoad(site);
    }

    @DontInline
    public static void afterArrayStore(int site) {
        if (DittoHooks.begun && !DittoHooks.isMuted())
            DittoHooks.afterArrayStore(site);
    }

    @DontInline
    public static void afterUpdate(boolean stored, int site) {
        if (DittoHooks.begun && !DittoHooks.isMuted())
            DittoHooks.afterUpdate(stored, site);
    }

    /** Who prints must have its turn, muted or not: the stream that it prints to may be behind another one. */
    private static boolean counts(Object lock) {
        return DittoHooks.begun && (!DittoHooks.isMuted() || lock instanceof PrintStream);
    }

    public static void beforeAcquire(Object lock, int site) {
        if (counts(lock))
            DittoHooks.beforeAcquire(lock, site);
    }

    public static void afterAcquire(Object lock, int site) {
        if (counts(lock))
            DittoHooks.afterAcquire(lock, site);
    }

    public static void beforeRelease(Object lock, int site) {
        if (counts(lock))
            DittoHooks.beforeRelease(lock, site);
    }

    public static void abandon() {
        if (DittoHooks.begun && !DittoHooks.isMuted())
            DittoHooks.abandon();
    }

    public static void cloning(Object original) {
        if (DittoHooks.begun && !DittoHooks.isMuted())
            DittoHooks.cloning(original);
    }

    public static void copied(Object original, Object copy, int site) {
        if (DittoHooks.begun && !DittoHooks.isMuted())
            DittoHooks.copied(original, copy, site);
    }

    public static void cloned(Object original, Object copy, int site) {
        if (DittoHooks.begun && !DittoHooks.isMuted())
            DittoHooks.cloned(original, copy, site);
        else
            DittoHooks.cloned(copy);
    }

    /** Muted or not: a copy must not have the original's number. */
    public static void cloned(Object object) {
        DittoHooks.cloned(object);
    }

    public static Object same(Object object) {
        return object;
    }

    /** On entry to a method of the JDK that is never muted; but what is done in a pause is not recorded. */
    public static void enterProgram() {
        if (DittoHooks.self() > 0)
            DittoHooks.enterProgram();
    }

    public static void leaveProgram() {
        if (DittoHooks.self() > 0)
            DittoHooks.leaveProgram();
    }
}
