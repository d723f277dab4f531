// SPDX-License-Identifier: MIT
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** Other processes, and what they say. */
public class Starting {
    public static void main(String[] arguments) throws Exception {
        Process process = new ProcessBuilder("sh", "-c", "echo out $$; echo error >&2; cat; exit 3").start();
        System.out.println(process.isAlive());
        process.getOutputStream().write("to the child\n".getBytes());
        process.getOutputStream().close();
        System.out.print(new String(process.getInputStream().readAllBytes()));
        System.out.print(new String(process.getErrorStream().readAllBytes()));
        System.out.println(process.waitFor() + " " + process.pid() + " " + process.isAlive() + " " + process.exitValue());
        Process date = Runtime.getRuntime().exec(new String[] {"date", "+%N"});
        System.out.println(date.waitFor(20, TimeUnit.SECONDS));
        System.out.print(new String(date.getInputStream().readAllBytes()));
        System.out.println(new ProcessBuilder("true").start().onExit().get().exitValue());
        try {
            new ProcessBuilder("/no/such/program").start();
        } catch (IOException e) {
            System.out.println(e.getMessage());
        }
    }
}
