// SPDX-License-Identifier: MIT
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** javac in this process: compiles the source tree of the first argument into the second. */
public class Compiling {
    private static List<Path> files(Path directory, String suffix) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.filter(path -> path.toString().endsWith(suffix)).sorted().collect(Collectors.toList());
        }
    }

    public static void main(String[] arguments) throws IOException {
        Path sources = Path.of(arguments[0]), classes = Files.createDirectories(Path.of(arguments[1]));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        PrintWriter out = new PrintWriter(System.out, true);
        boolean good;
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            good = compiler.getTask(out, manager, null, List.of("-g", "-Xlint:all", "-d", classes.toString()), null,
                    manager.getJavaFileObjectsFromPaths(files(sources, ".java"))).call();
        }
        long bytes = 0;
        for (Path file : files(classes, ".class")) {
            bytes += Files.size(file);
            System.out.println(classes.relativize(file) + " " + Files.size(file));
        }
        System.out.println((good ? "compiled: " : "failed: ") + bytes + " bytes");
    }
}
