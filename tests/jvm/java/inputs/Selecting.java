// SPDX-License-Identifier: MIT
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/** Channels that do not block, a selector, a pipe. */
public class Selecting {
    public static void main(String[] arguments) throws Exception {
        Selector selector = Selector.open();
        ServerSocketChannel server = ServerSocketChannel.open();
        server.bind(new InetSocketAddress("localhost", 0));
        server.configureBlocking(false);
        server.register(selector, SelectionKey.OP_ACCEPT);
        List<SocketChannel> clients = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            SocketChannel client = SocketChannel.open(server.getLocalAddress());
            client.write(ByteBuffer.wrap(("client " + i).getBytes()));
            clients.add(client);
        }
        for (int closed = 0; closed < 3;) {
            System.out.println(selector.select(10000) + " selected");
            for (SelectionKey key : new ArrayList<>(selector.selectedKeys())) {
                selector.selectedKeys().remove(key);
                if (key.isAcceptable()) {
                    SocketChannel channel = server.accept();
                    System.out.println(channel.getRemoteAddress());
                    channel.configureBlocking(false);
                    channel.register(selector, SelectionKey.OP_READ);
                } else {
                    ByteBuffer buffer = ByteBuffer.allocate(20);
                    int length = ((SocketChannel) key.channel()).read(buffer);
                    System.out.println(length + " " + new String(buffer.array(), 0, Math.max(length, 0)));
                    key.channel().close();
                    closed++;
                }
            }
        }
        for (SocketChannel client : clients)
            client.close();
        server.close();
        System.out.println(selector.selectNow());
        selector.close();
        Pipe pipe = Pipe.open();
        pipe.sink().write(ByteBuffer.wrap("pipe".getBytes()));
        ByteBuffer buffer = ByteBuffer.allocate(10);
        System.out.println(pipe.source().read(buffer) + " " + buffer.get(0));
    }
}
