// SPDX-License-Identifier: MIT
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.SimpleFileServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The JDK's web server for files (jwebserver) with several clients; it lists a directory, and says whom it answered. */
public class FileServing {
    public static void main(String[] arguments) throws Exception {
        Path root = Path.of("").toAbsolutePath();
        for (String name : new String[] {"a.txt", "b.txt"})
            Files.writeString(root.resolve(name), "the file " + name);
        HttpServer server = SimpleFileServer.createFileServer(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), root, SimpleFileServer.OutputLevel.INFO);
        ExecutorService pool = Executors.newFixedThreadPool(3);
        server.setExecutor(pool);
        server.start();
        Clients.run(server.getAddress().getPort(), Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]),
                "/a.txt", "/", "/b.txt", "/c.txt");
        server.stop(0);
        pool.shutdown();
    }
}
