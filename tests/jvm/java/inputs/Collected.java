// SPDX-License-Identifier: MIT
import java.lang.ref.Cleaner;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.util.WeakHashMap;

/** What the collector does that is not recorded; a trace names each as a limit. */
public class Collected {
    @SuppressWarnings({"deprecation", "removal"})
    static class Finalized {
        @Override
        protected void finalize() {
            done = true;
        }
    }

    static volatile boolean done;

    public static void main(String[] arguments) {
        ReferenceQueue<Object> queue = new ReferenceQueue<>();
        PhantomReference<Object> phantom = new PhantomReference<>(new Object(), queue);
        WeakHashMap<Object, String> map = new WeakHashMap<>();
        map.put(queue, "kept");
        Cleaner cleaner = Cleaner.create();
        cleaner.register(queue, () -> done = true);
        System.out.println(new Finalized().hashCode() != 0 && phantom.get() == null && map.size() == 1);
    }
}
