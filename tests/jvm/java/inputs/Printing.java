// SPDX-License-Identifier: MIT
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;

/**
 * Several threads write to standard output, each with a stream of its own: nothing but the write itself orders them. Then
 * two print to the same stream, one of them through another.
 */
public class Printing {
    public static void main(String[] arguments) throws Exception {
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            int number = i;
            threads[i] = new Thread(() -> {
                FileOutputStream stream = new FileOutputStream(FileDescriptor.out);
                try {
                    for (int j = 0; j < 50; j++)
                        stream.write((number + " " + j + "\n").getBytes());
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
        }
        for (Thread thread : threads)
            thread.start();
        for (Thread thread : threads)
            thread.join();
        PrintStream around = new PrintStream(System.out, true);
        Thread other = new Thread(() -> {
            for (int i = 0; i < 50; i++)
                around.println("around " + i);
        });
        other.start();
        for (int i = 0; i < 50; i++)
            System.out.println("straight " + i);
        other.join();
    }
}
