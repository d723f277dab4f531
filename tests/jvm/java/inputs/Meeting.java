// SPDX-License-Identifier: MIT
import com.sun.net.httpserver.HttpServer;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.StringReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Places inside the JDK where a program's threads meet: caches, kept connections, streams, threads of the JDK's own. */
public class Meeting {
    interface Work {
        void run(int id) throws Exception;
    }

    static synchronized void say(String text) {
        System.out.println(text);
    }

    static Thread[] start(Work work) {
        Thread[] threads = new Thread[3];
        for (int i = 0; i < threads.length; i++) {
            int id = i;
            threads[i] = new Thread(() -> {
                try {
                    work.run(id);
                } catch (Exception e) {
                    say(id + " " + e);
                }
            });
            threads[i].start();
        }
        return threads;
    }

    static void join(Thread[] threads) throws InterruptedException {
        for (Thread thread : threads)
            thread.join();
    }

    static void inThreads(Work work) throws InterruptedException {
        join(start(work));
    }

    /** Whoever comes first looks a name up, the others find it. */
    static void lookUp() throws Exception {
        inThreads(id -> say(id + " " + InetAddress.getByName("localhost").isLoopbackAddress()));
    }

    /** The lock is taken in a method that readLine() calls. */
    static void readLines() throws Exception {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 60; i++)
            text.append(i).append('\n');
        BufferedReader reader = new BufferedReader(new StringReader(text.toString()), 16);
        inThreads(id -> {
            for (int i = 0; i < 20; i++)
                say(id + " reads " + reader.readLine());
        });
    }

    static void log() throws Exception {
        Logger logger = Logger.getLogger("meeting");
        logger.setUseParentHandlers(false);
        logger.addHandler(new Handler() {
            @Override
            public void publish(LogRecord record) {
                say("record " + record.getSequenceNumber() + " " + record.getMessage());
            }

            @Override
            public void flush() {
            }

            @Override
            public void close() {
            }
        });
        inThreads(id -> {
            for (int i = 0; i < 10; i++)
                logger.info(id + " " + i);
        });
    }

    static HttpServer serve() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        ExecutorService pool = Executors.newFixedThreadPool(3);
        server.setExecutor(pool);
        server.createContext("/", exchange -> {
            byte[] answer = ("port " + exchange.getRemoteAddress().getPort()).getBytes();
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        server.start();
        return server;
    }

    /** Connections are kept, and taken up by whichever thread comes next. */
    static void browse() throws Exception {
        HttpServer server = serve();
        URL url = new URL("http://127.0.0.1:" + server.getAddress().getPort() + "/");
        inThreads(id -> {
            for (int i = 0; i < 4; i++)
                say(id + " " + new String(url.openStream().readAllBytes()));
        });
    }

    /** Clients close the connections: the server's threads find out, and close theirs, in calls of streams. */
    static void leave() throws Exception {
        InetSocketAddress address = serve().getAddress();
        inThreads(id -> {
            for (int i = 0; i < 8; i++)
                try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
                    socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: here\r\n\r\n".getBytes());
                    say(id + " " + new BufferedReader(new InputStreamReader(socket.getInputStream())).readLine());
                }
        });
    }

    /** Completions run in threads of the JDK. */
    static void complete() throws Exception {
        CountDownLatch done = new CountDownLatch(3);
        AsynchronousServerSocketChannel server = AsynchronousServerSocketChannel.open().bind(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        server.accept(0, new CompletionHandler<AsynchronousSocketChannel, Integer>() {
            @Override
            public void completed(AsynchronousSocketChannel channel, Integer number) {
                if (number < 2)
                    server.accept(number + 1, this);
                ByteBuffer bytes = ByteBuffer.allocate(8);
                channel.read(bytes, number, new CompletionHandler<Integer, Integer>() {
                    @Override
                    public void completed(Integer count, Integer which) {
                        say(which + ": " + count + " bytes");
                        done.countDown();
                    }

                    @Override
                    public void failed(Throwable why, Integer which) {
                        say(which + ": " + why);
                    }
                });
            }

            @Override
            public void failed(Throwable why, Integer number) {
                say(number + ": " + why);
            }
        });
        inThreads(id -> {
            AsynchronousSocketChannel channel = AsynchronousSocketChannel.open();
            channel.connect(server.getLocalAddress()).get();
            say(id + " wrote " + channel.write(ByteBuffer.allocate(id + 1)).get());
        });
        done.await();
        server.close();
    }

    static void watch(Path directory) throws Exception {
        WatchService service = directory.getFileSystem().newWatchService();
        directory.register(service, StandardWatchEventKinds.ENTRY_CREATE);
        Files.createFile(directory.resolve("made"));
        WatchKey key = service.poll(10, TimeUnit.SECONDS);
        say(key.pollEvents().get(0).context() + " " + key.reset());
        service.close();
    }

    /** A socket that is closed before, while or after another thread uses it. */
    static void close() throws Exception {
        for (int i = 0; i < 5; i++) {
            ServerSocket socket = new ServerSocket(0);
            Thread closing = new Thread(() -> {
                try {
                    socket.close();
                } catch (IOException e) {
                    say(e.toString());
                }
            });
            closing.start();
            try {
                socket.setSoTimeout(10_000);
                socket.accept();
            } catch (SocketException e) {
                say(e.getMessage());
            }
            closing.join();
        }
    }

    /** The same, through streams over it. */
    static void closeStreams() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            for (int i = 0; i < 5; i++) {
                Socket socket = new Socket(server.getInetAddress(), server.getLocalPort());
                Socket peer = server.accept();
                peer.getOutputStream().write("a line\nand a half".getBytes());
                BufferedReader reader = new BufferedReader(new InputStreamReader(socket.getInputStream()));
                Thread reading = new Thread(() -> {
                    try {
                        say(reader.readLine());
                        say(reader.readLine());
                    } catch (IOException e) {
                        say(e.getMessage());
                    }
                });
                reading.start();
                new BufferedOutputStream(socket.getOutputStream()).close();
                reading.join();
                peer.close();
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        try {
            lookUp();
            readLines();
            log();
            browse();
            leave();
            complete();
            watch(Path.of(arguments[0]));
            close();
            closeStreams();
            System.out.println("done");
        } finally {
            // The web servers are still there.
            System.exit(0);
        }
    }
}
