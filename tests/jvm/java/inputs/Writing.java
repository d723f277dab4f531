// SPDX-License-Identifier: MIT
import java.io.FileWriter;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Makes files and reads them again, in a directory that is the argument. */
public class Writing {
    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[0]), made = directory.resolve("made"), sub = directory.resolve("sub");
        Files.writeString(made, "first " + System.nanoTime() + "\n");
        Files.writeString(made, "second\n", StandardOpenOption.APPEND);
        System.out.println(Files.readString(made));
        try (PrintWriter writer = new PrintWriter(new FileWriter(directory.resolve("printed").toFile()))) {
            writer.println("printed");
        }
        Files.createDirectory(sub);
        Files.move(made, sub.resolve("moved"));
        Files.copy(sub.resolve("moved"), sub.resolve("copied"));
        System.out.println(Files.readString(sub.resolve("copied")) + Files.exists(made));
        Files.delete(sub.resolve("moved"));
        try (RandomAccessFile random = new RandomAccessFile(directory.resolve("random").toFile(), "rw")) {
            random.writeInt(42);
            random.seek(0);
            System.out.println(random.readInt());
            random.setLength(2);
            System.out.println(random.length());
        }
        try (FileChannel channel = FileChannel.open(directory.resolve("channel"), StandardOpenOption.CREATE,
                StandardOpenOption.WRITE)) {
            System.out.println(channel.write(ByteBuffer.wrap("channel".getBytes()), 3) + " " + channel.size());
        }
        System.out.println(Files.createTempFile(directory, "temporary", ".txt"));
    }
}
