// SPDX-License-Identifier: MIT
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.Formattable;
import java.util.Formatter;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Streams, and objects that are written, read and formatted, whose code uses the library: the JDK's own streams call it.
 * Whoever comes first gets the next number, or finds the queue empty.
 */
final class Streams {
    static final ConcurrentLinkedQueue<Integer> numbers = new ConcurrentLinkedQueue<>();
    static final AtomicInteger next = new AtomicInteger();

    /** What was given back, or else something new. */
    static int take() {
        Integer number = numbers.poll();
        return number != null ? number : next.incrementAndGet();
    }

    /** Notes what it takes for each write, and gives it back. */
    static final class Noting extends OutputStream {
        private final StringBuilder seen;

        Noting(StringBuilder seen) {
            this.seen = seen;
        }

        @Override
        public void write(int b) {
            int number = take();
            seen.append(number).append(' ');
            Race.work(number % 7);
            numbers.add(number);
        }

        @Override
        public void write(byte[] bytes, int start, int length) {
            write(length);
        }
    }

    /** Gives what it takes. */
    static final class Giving extends InputStream {
        private int left = 3;

        @Override
        public int read() {
            if (left-- <= 0)
                return -1;
            int number = take();
            numbers.add(number);
            return 'a' + number % 26;
        }

        @Override
        public int read(byte[] bytes, int start, int length) throws IOException {
            int b = read();
            if (b >= 0)
                bytes[start] = (byte) b;
            return b >= 0 ? 1 : -1;
        }
    }

    static final class Note implements Serializable, Formattable {
        private static final long serialVersionUID = 1;

        int number;

        private void writeObject(ObjectOutputStream to) throws IOException {
            to.writeInt(take());
        }

        private void readObject(ObjectInputStream from) throws IOException {
            number = from.readInt() * 1000 + take();
            numbers.add(number % 1000);
        }

        @Override
        public void formatTo(Formatter formatter, int flags, int width, int precision) {
            formatter.format("%d/%d", number, take());
        }
    }

    public static void main(String[] arguments) throws Exception {
        ByteArrayOutputStream some = new ByteArrayOutputStream();
        some.write(new byte[5]);
        Race.run(3, (me, seen) -> {
            PrintStream printing = new PrintStream(new Noting(seen), true);
            for (int i = 0; i < 30; i++) {
                some.writeTo(new Noting(seen));
                printing.println("line " + i);
                InputStreamReader reader = new InputStreamReader(new Giving(), StandardCharsets.US_ASCII);
                for (int c; (c = reader.read()) >= 0;)
                    seen.append((char) c);
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
                    out.writeObject(new Note());
                }
                Note read = (Note) new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
                seen.append(read.number).append(String.format(" %s ", read));
            }
        });
    }
}
