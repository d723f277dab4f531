// SPDX-License-Identifier: MIT
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;

/** A blocking server and its client, datagrams, lookups; with a port as argument, a server elsewhere. */
public class Sockets {
    private static String ask(int port) throws IOException {
        try (Socket socket = new Socket("localhost", port)) {
            socket.setSoTimeout(20000);
            socket.getOutputStream().write("question\n".getBytes());
            String answer = new BufferedReader(new InputStreamReader(socket.getInputStream())).readLine();
            return answer + " at port " + socket.getLocalPort();
        }
    }

    public static void main(String[] arguments) throws Exception {
        if (arguments.length > 0) {
            System.out.println(ask(Integer.parseInt(arguments[0])));
            return;
        }
        System.out.println(InetAddress.getByName("localhost"));
        try { // not every machine knows its own name
            System.out.println(InetAddress.getLocalHost().getHostName());
        } catch (UnknownHostException e) {
            System.out.println(e);
        }
        try {
            System.out.println(InetAddress.getByName("no.such.host.invalid"));
        } catch (UnknownHostException e) {
            System.out.println(e);
        }
        ServerSocket server = new ServerSocket(0);
        Thread thread = new Thread(() -> {
            try (Socket socket = server.accept()) {
                String line = new BufferedReader(new InputStreamReader(socket.getInputStream())).readLine();
                System.out.println(line + " from " + socket.getRemoteSocketAddress());
                socket.getOutputStream().write(("answer " + System.nanoTime() + "\n").getBytes());
            } catch (IOException e) {
                System.out.println(e);
            }
        });
        thread.start();
        System.out.println(ask(server.getLocalPort()));
        thread.join();
        server.setSoTimeout(20);
        try {
            server.accept();
        } catch (SocketTimeoutException e) {
            System.out.println(e);
        }
        server.close();
        try (DatagramSocket one = new DatagramSocket(0); DatagramSocket other = new DatagramSocket()) {
            byte[] bytes = "datagram".getBytes();
            other.send(new DatagramPacket(bytes, bytes.length, InetAddress.getLoopbackAddress(), one.getLocalPort()));
            DatagramPacket packet = new DatagramPacket(new byte[20], 20);
            one.receive(packet);
            System.out.println(packet.getLength() + " from " + packet.getSocketAddress());
        }
    }
}
