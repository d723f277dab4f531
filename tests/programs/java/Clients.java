// SPDX-License-Identifier: MIT
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Several threads that ask one server over HTTP, each over connections of its own. */
final class Clients {
    private Clients() {
    }

    /** The answer's status line and body. */
    static String ask(int port, String path) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.getOutputStream().write(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            ByteArrayOutputStream answer = new ByteArrayOutputStream();
            InputStream in = socket.getInputStream();
            byte[] bytes = new byte[4096];
            for (int n; (n = in.read(bytes)) > 0;)
                answer.write(bytes, 0, n);
            String text = answer.toString(StandardCharsets.UTF_8);
            int line = text.indexOf("\r\n"), body = text.indexOf("\r\n\r\n");
            return (line < 0 ? text : text.substring(0, line)) + ": " + (body < 0 ? "" : text.substring(body + 4).trim());
        }
    }

    static void run(int port, int clients, int requests, String... paths) throws InterruptedException {
        String[][] answers = new String[clients][requests];
        Thread[] threads = new Thread[clients];
        for (int i = 0; i < clients; i++) {
            int client = i;
            threads[i] = new Thread(() -> {
                for (int j = 0; j < requests; j++) {
                    try {
                        answers[client][j] = ask(port, paths[(client + j) % paths.length]);
                    } catch (IOException e) {
                        answers[client][j] = e.toString();
                    }
                }
            }, "client " + i);
            threads[i].start();
        }
        for (Thread thread : threads)
            thread.join();
        for (int i = 0; i < clients; i++)
            for (String answer : answers[i])
                System.out.println("client " + i + ": " + answer.replace("\r", "").replace("\n", "|"));
    }
}
