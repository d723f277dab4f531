// SPDX-License-Identifier: MIT
import java.lang.ref.WeakReference;

/** Whether a weak reference has been cleared is the collector's decision. */
public class References {
    public static void main(String[] arguments) {
        Object kept = new Object();
        WeakReference<Object> strong = new WeakReference<>(kept), weak = new WeakReference<>(new Object());
        System.gc();
        System.out.println((strong.get() == kept) + " " + (weak.get() == null));
    }
}
