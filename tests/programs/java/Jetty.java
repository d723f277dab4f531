// SPDX-License-Identifier: MIT
import java.io.IOException;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.AbstractHandler;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** Jetty with several clients. */
public class Jetty {
    private static int served;

    public static void main(String[] arguments) throws Exception {
        Server server = new Server(new QueuedThreadPool(8, 4));
        ServerConnector connector = new ServerConnector(server, 1, 1);
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        server.setHandler(new AbstractHandler() {
            @Override
            public void handle(String target, Request base, HttpServletRequest request, HttpServletResponse response)
                    throws IOException {
                response.setContentType("text/plain");
                response.getWriter().print("answer " + ++served + " to " + target);
                base.setHandled(true);
            }
        });
        server.start();
        Clients.run(connector.getLocalPort(), Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]), "/a", "/b",
                "/c");
        server.stop();
        server.join();
        System.out.println("served " + served);
    }
}
