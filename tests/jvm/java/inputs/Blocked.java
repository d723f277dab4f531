// SPDX-License-Identifier: MIT
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channel;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/**
 * Threads that are interrupted while they use channels and selectors: an interrupt that meets one inside an operation on a
 * channel closes it, one that comes in between does so with the next operation, and one that meets a select ends that.
 */
final class Blocked {
    interface Use {
        /** Once: how much has come of it. */
        int once() throws IOException;
    }

    /** What came of uses until one failed; the other thread interrupts when it likes. */
    static String until(Use use) {
        int sum = 0;
        try {
            for (;;)
                sum += use.once();
        } catch (ClosedByInterruptException e) {
            return sum + " by interrupt, flag " + Thread.interrupted();
        } catch (IOException e) {
            return sum + " " + e.getClass().getSimpleName() + ", flag " + Thread.interrupted();
        }
    }

    /** Some time, a tenth of a millisecond or so for each round. */
    private static int spend(int round) {
        int value = round;
        for (int i = 0; i < round * 300000; i++)
            value = value * 31 + i;
        return value;
    }

    static void interrupted(String name, int round, Channel channel, Use use) throws Exception {
        String[] end = new String[1];
        Thread thread = new Thread(() -> end[0] = until(use));
        thread.start();
        int waited = spend(round);
        thread.interrupt();
        boolean open = channel.isOpen();
        thread.join();
        System.out.println(name + " " + round + " (" + waited + "): " + end[0] + ", open " + open + " " + channel.isOpen());
        channel.close();
    }

    public static void main(String[] arguments) throws Exception {
        for (int round = 0; round < 6; round++) {
            ServerSocketChannel server = ServerSocketChannel.open();
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            Thread client = new Thread(() -> {
                try {
                    for (int i = 0; i < 3; i++)
                        SocketChannel.open(server.getLocalAddress()).close();
                } catch (IOException e) {
                    // The server was closed before.
                }
            });
            client.start();
            interrupted("accept", round, server, () -> {
                server.accept().close();
                return 1;
            });
            client.join();

            FileChannel file = FileChannel.open(Path.of(System.getProperty("java.home"), "release"));
            ByteBuffer bytes = ByteBuffer.allocate(16);
            interrupted("file", round, file, () -> file.read(bytes.clear(), 0));

            Pipe pipe = Pipe.open();
            pipe.sink().write(ByteBuffer.wrap(new byte[40]));
            ByteBuffer few = ByteBuffer.allocate(8);
            interrupted("pipe", round, pipe.source(), () -> pipe.source().read(few.clear()));
            pipe.sink().close();

            Selector selector = Selector.open();
            Pipe selected = Pipe.open();
            selected.source().configureBlocking(false);
            selected.source().register(selector, SelectionKey.OP_READ);
            int[] left = {5};
            interrupted("select", round, selected.source(), () -> {
                int ready = selector.select();
                if (Thread.currentThread().isInterrupted() || left[0]-- == 0)
                    throw new IOException("enough");
                return ready + 1;
            });
            selector.close();
            selected.sink().close();
        }
    }
}
