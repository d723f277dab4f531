// SPDX-License-Identifier: MIT
import java.lang.ref.Cleaner;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.security.GeneralSecurityException;
import java.util.WeakHashMap;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/** What the collector does that is not recorded, and TLS; a trace names each as a limit. */
public class Collected {
    @SuppressWarnings({"deprecation", "removal"})
    static class Finalized {
        @Override
        protected void finalize() {
            done = true;
        }
    }

    static volatile boolean done;

    public static void main(String[] arguments) throws GeneralSecurityException {
        /* No thread shares it, but that is not known when the trace is made. */
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[0], null);
        context.createSSLEngine();
        ReferenceQueue<Object> queue = new ReferenceQueue<>();
        PhantomReference<Object> phantom = new PhantomReference<>(new Object(), queue);
        WeakHashMap<Object, String> map = new WeakHashMap<>();
        map.put(queue, "kept");
        Cleaner cleaner = Cleaner.create();
        cleaner.register(queue, () -> done = true);
        System.out.println(new Finalized().hashCode() != 0 && phantom.get() == null && map.size() == 1);
    }
}
