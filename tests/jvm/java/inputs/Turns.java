// SPDX-License-Identifier: MIT
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Channels and streams that two threads use in turn: one thinks, and the other sleeps for longer. A replay does not
 * sleep, and there the other one comes first, takes the JDK's lock, and has to let the one that thinks go before it.
 */
public class Turns {
    interface Work {
        Object run() throws IOException;
    }

    private static synchronized void say(String who, Object what) {
        System.out.println(who + " " + what);
    }

    /** Takes time in a replay, too. */
    private static long think() {
        long sum = 1;
        for (int i = 0; i < 100_000_000; i++)
            sum = sum * 31 + i;
        return sum;
    }

    private static Thread start(String name, Work work, boolean sleeps) {
        Thread thread = new Thread(() -> {
            try {
                if (sleeps)
                    Thread.sleep(800);
                else if (think() == 0)
                    throw new AssertionError();
                say(name, work.run());
            } catch (IOException | InterruptedException e) {
                say(name, e);
            }
        });
        thread.start();
        return thread;
    }

    private static void inTurn(String name, Work work) throws InterruptedException {
        Thread one = start(name + " of the one", work, false), other = start(name + " of the other", work, true);
        one.join();
        other.join();
    }

    public static void main(String[] arguments) throws Exception {
        Path path = Path.of(arguments[0], "in.txt");
        try (FileChannel channel = FileChannel.open(path);
                InputStream stream = Files.newInputStream(path);
                InputStream over = Channels.newInputStream(channel)) {
            inTurn("size", channel::size);
            inTurn("byte", stream::read);
            inTurn("byte of a channel", over::read);
        }
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                Socket socket = new Socket(server.getInetAddress(), server.getLocalPort());
                Socket peer = server.accept()) {
            OutputStreamWriter writer = new OutputStreamWriter(peer.getOutputStream());
            inTurn("writing", () -> {
                writer.write("line\n");
                writer.flush();
                return "done";
            });
            InputStreamReader reader = new InputStreamReader(socket.getInputStream());
            inTurn("character", reader::read);
        }
    }
}
