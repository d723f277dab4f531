// SPDX-License-Identifier: MIT
import com.sun.net.httpserver.HttpServer;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;

/** The JDK's HTTP client, which several threads share; it receives in a thread of its own. */
public class Asking {
    static int served, asked;
    static String server;

    static HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(server + path));
    }

    static void serve() throws Exception {
        HttpServer http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.setExecutor(Executors.newFixedThreadPool(3));
        http.createContext("/", exchange -> {
            String path = exchange.getRequestURI().getPath();
            byte[] answer = (++served + path + new String(exchange.getRequestBody().readAllBytes()) + "\n")
                    .repeat(path.equals("/big") ? 3000 : 1).getBytes();
            try {
                Thread.sleep(path.equals("/slow") ? 500 : 0);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            exchange.sendResponseHeaders(200, path.equals("/pieces") ? 0 : answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        http.start();
        server = "http://127.0.0.1:" + http.getAddress().getPort();
    }

    static void inThreads(HttpClient client) throws Exception {
        Thread[] threads = new Thread[3];
        for (int i = 0; i < threads.length; i++) {
            int id = i;
            threads[i] = new Thread(() -> {
                try {
                    for (int j = 0; j < 3; j++) {
                        String path = List.of("/one", "/big", "/pieces").get((id + j) % 3);
                        HttpResponse<String> response = client.send(request(path).POST(BodyPublishers.ofString(" body " + asked++)).build(),
                                BodyHandlers.ofString());
                        System.out.println(id + " " + response.statusCode() + " " + response.body().lines().findFirst().get());
                    }
                } catch (Exception e) {
                    System.out.println(id + " " + e);
                }
            });
            threads[i].start();
        }
        for (Thread thread : threads)
            thread.join();
    }

    public static void main(String[] arguments) throws Exception {
        serve();
        HttpClient client = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(20)).build();
        inThreads(client);
        List<CompletableFuture<String>> answers = new ArrayList<>();
        for (int i = 0; i < 4; i++)
            answers.add(client.sendAsync(request("/later" + i).build(), BodyHandlers.ofString()).thenApply(r -> r.body() + asked++));
        for (CompletableFuture<String> answer : answers)
            System.out.println(answer.get());
        System.out.println(client.send(request("/big").build(), BodyHandlers.ofLines()).body().count());
        try (InputStream stream = client.send(request("/stream").build(), BodyHandlers.ofInputStream()).body()) {
            System.out.println(new String(stream.readAllBytes()));
        }
        try {
            client.send(request("/slow").timeout(Duration.ofMillis(50)).build(), BodyHandlers.discarding());
        } catch (HttpTimeoutException e) {
            System.out.println(e);
        }
        try {
            client.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:1/")).build(), BodyHandlers.discarding());
        } catch (ConnectException e) {
            System.out.println("refused");
        }
        System.out.println(served + " " + asked + " " + System.nanoTime());
        // The client and the server are still there.
        System.exit(0);
    }
}
