// SPDX-License-Identifier: MIT
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipFile;

/** Files and directories, read in every way. The argument is the directory. */
public class Reading {
    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[0]), path = directory.resolve("in.txt");
        File file = path.toFile();
        try (FileInputStream stream = new FileInputStream(file)) {
            System.out.println(stream.available() + " " + stream.read() + " " + stream.skip(2));
            System.out.println(new String(stream.readAllBytes()));
        }
        try (RandomAccessFile random = new RandomAccessFile(file, "r")) {
            random.seek(3);
            System.out.println(random.length() + " " + random.readLine() + " " + random.getFilePointer());
        }
        try (FileChannel channel = FileChannel.open(path)) {
            ByteBuffer[] parts = {ByteBuffer.allocate(3), ByteBuffer.allocateDirect(4)};
            System.out.println(channel.read(parts) + " " + channel.position() + " " + channel.size());
            MappedByteBuffer mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
            byte[] bytes = new byte[mapped.remaining()];
            mapped.get(bytes);
            System.out.println(new String(bytes));
        }
        System.out.println(Files.readString(path) + Files.readAllLines(path) + Files.size(path));
        System.out.println(Files.exists(path) + " " + Files.exists(directory.resolve("missing")) + " "
                + Files.getLastModifiedTime(path) + " " + Files.getOwner(path));
        System.out.println(Files.readAttributes(path, PosixFileAttributes.class).permissions() + " "
                + Files.isSameFile(path, directory.resolve("./in.txt")));
        try (Stream<Path> list = Files.list(directory)) {
            System.out.println(list.map(Path::toString).collect(Collectors.toList()));
        }
        try (Stream<Path> walk = Files.walk(directory)) {
            System.out.println(walk.map(Path::toString).collect(Collectors.toList()));
        }
        System.out.println(Arrays.toString(directory.toFile().list()) + file.lastModified() + " " + file.length());
        System.out.println(file.getCanonicalPath() + " " + path.toRealPath() + " " + file.canWrite());
        System.out.println(Files.getFileStore(path).getUsableSpace());
        try (ZipFile zip = new ZipFile(directory.resolve("data.jar").toFile())) {
            System.out.println(zip.size() + new String(zip.getInputStream(zip.getEntry("entry.txt")).readAllBytes()));
        }
        try {
            new FileInputStream(directory.resolve("missing").toFile()).close();
        } catch (IOException e) {
            System.out.println(e);
        }
        try (FileInputStream random = new FileInputStream("/dev/urandom")) {
            System.out.println(Arrays.toString(random.readNBytes(4)));
        }
    }
}
