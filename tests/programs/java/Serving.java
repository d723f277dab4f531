// SPDX-License-Identifier: MIT
import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The JDK's simple web server with several clients; the page says the how-manieth answer it is, and by which thread. */
public class Serving {
    private static int served;

    public static void main(String[] arguments) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        ExecutorService pool = Executors.newFixedThreadPool(3);
        server.setExecutor(pool);
        server.createContext("/", exchange -> {
            byte[] page = ("answer " + ++served + " to " + exchange.getRequestURI() + " by "
                    + Thread.currentThread().getName()).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, page.length);
            exchange.getResponseBody().write(page);
            exchange.close();
        });
        server.start();
        Clients.run(server.getAddress().getPort(), Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]), "/a",
                "/b", "/c");
        server.stop(0);
        pool.shutdown();
        System.out.println("served " + served);
    }
}
