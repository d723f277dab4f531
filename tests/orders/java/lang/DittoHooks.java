// SPDX-License-Identifier: MIT
package java.lang;

/** In place of the agent's: notes who would be woken. */
final class DittoHooks {
    static long woken;
    static long wokenForLock;

    private DittoHooks() {
    }

    static void wake(long self, long place) {
        woken = 1;
    }

    static void wakeLock(long place) {
        wokenForLock = 1;
    }
}
