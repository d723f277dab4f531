// SPDX-License-Identifier: MIT
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/** TLS: several threads share one context, its keys and its sessions. The argument is the directory of the keys. */
public class Secure {
    private static SSLContext context(Path keys) throws Exception {
        char[] password = "secret".toCharArray();
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream stream = Files.newInputStream(keys)) {
            store.load(stream, password);
        }
        KeyManagerFactory own = KeyManagerFactory.getInstance("SunX509");
        own.init(store, password);
        TrustManagerFactory trusted = TrustManagerFactory.getInstance("PKIX");
        trusted.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
        return context;
    }

    private static String readLine(Socket socket) throws IOException {
        return new BufferedReader(new InputStreamReader(socket.getInputStream())).readLine();
    }

    /** Handshakes at the same time, which resume each other's sessions. */
    private static void talk(SSLContext context) throws Exception {
        InetAddress here = InetAddress.getLoopbackAddress();
        SSLServerSocket server = (SSLServerSocket) context.getServerSocketFactory().createServerSocket(0, 9, here);
        Thread[] servers = Meeting.start(id -> {
            for (int i = 0; i < 2; i++)
                try (Socket socket = server.accept()) {
                    String line = readLine(socket);
                    socket.getOutputStream().write((line + " from server " + id + "\n").getBytes());
                }
        });
        Meeting.inThreads(id -> {
            for (int i = 0; i < 2; i++)
                try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(here, server.getLocalPort())) {
                    socket.getOutputStream().write(("client " + id + "\n").getBytes());
                    Meeting.say(readLine(socket) + " " + HexFormat.of().formatHex(socket.getSession().getId()));
                }
        });
        Meeting.join(servers);
    }

    private static String serve(SSLContext context) throws IOException {
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        server.setExecutor(Executors.newFixedThreadPool(3));
        server.createContext("/", exchange -> {
            byte[] answer = ("answer to " + exchange.getRequestURI()).getBytes();
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        server.start();
        return "https://localhost:" + server.getAddress().getPort() + "/";
    }

    /** Both of the JDK's clients. */
    private static void ask(SSLContext context) throws Exception {
        String address = serve(context);
        Meeting.inThreads(id -> {
            for (int i = 0; i < 2; i++) {
                HttpsURLConnection connection = (HttpsURLConnection) URI.create(address + id + i).toURL().openConnection();
                connection.setSSLSocketFactory(context.getSocketFactory());
                Meeting.say(new String(connection.getInputStream().readAllBytes()));
            }
        });
        HttpClient client = HttpClient.newBuilder().sslContext(context).build();
        List<CompletableFuture<Void>> answers = new ArrayList<>();
        for (int i = 0; i < 4; i++)
            answers.add(client.sendAsync(HttpRequest.newBuilder(URI.create(address + "later" + i)).build(),
                    BodyHandlers.ofString()).thenAccept(response -> Meeting.say(response.body())));
        for (CompletableFuture<Void> answer : answers)
            answer.get();
    }

    public static void main(String[] arguments) throws Exception {
        SSLContext context = context(Path.of(arguments[0], "keys.p12"));
        talk(context);
        ask(context);
        // The client and the server are still there.
        System.exit(0);
    }
}
