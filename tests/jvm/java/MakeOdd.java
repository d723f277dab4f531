// SPDX-License-Identifier: MIT
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes what javac does not: classes with jsr, with a changed local 0, and sources of very large methods. */
public final class MakeOdd {
    private final ByteArrayOutputStream poolBytes = new ByteArrayOutputStream();
    private final DataOutputStream pool = new DataOutputStream(poolBytes);
    private int constants = 1;

    private int utf8(String text) throws IOException {
        pool.writeByte(1);
        pool.writeUTF(text);
        return constants++;
    }

    private int reference(int tag, int a) throws IOException {
        pool.writeByte(tag);
        pool.writeShort(a);
        return constants++;
    }

    private int reference(int tag, int a, int b) throws IOException {
        pool.writeByte(tag);
        pool.writeShort(a);
        pool.writeShort(b);
        return constants++;
    }

    private int member(int tag, int owner, String name, String descriptor) throws IOException {
        return reference(tag, owner, reference(12, utf8(name), utf8(descriptor)));
    }

    private static byte[] bytes(int... values) {
        byte[] result = new byte[values.length];
        for (int i = 0; i < values.length; i++)
            result[i] = (byte) values[i];
        return result;
    }

    private record Method(int access, int name, int descriptor, int stack, int locals, byte[] code, byte[] handlers,
        byte[] frames) {
    }

    private byte[] build(int version, int name, int parent, int field, int fieldType, Method... methods)
        throws IOException {
        int codeName = utf8("Code"), framesName = utf8("StackMapTable");
        ByteArrayOutputStream result = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(result);
        out.writeInt(0xCAFEBABE);
        out.writeInt(version);
        out.writeShort(constants);
        poolBytes.writeTo(out);
        for (int value : new int[] {0x21, name, parent, 0, 1, 9, field, fieldType, 0, methods.length})
            out.writeShort(value);
        for (Method method : methods) {
            int extra = method.frames == null ? 0 : 6 + method.frames.length;
            for (int value : new int[] {method.access, method.name, method.descriptor, 1, codeName})
                out.writeShort(value);
            out.writeInt(12 + method.code.length + method.handlers.length + extra);
            out.writeShort(method.stack);
            out.writeShort(method.locals);
            out.writeInt(method.code.length);
            out.write(method.code);
            out.writeShort(method.handlers.length / 8);
            out.write(method.handlers);
            out.writeShort(method.frames == null ? 0 : 1);
            if (method.frames != null) {
                out.writeShort(framesName);
                out.writeInt(method.frames.length);
                out.write(method.frames);
            }
        }
        out.writeShort(0);
        return result.toByteArray();
    }

    /** static int run(int x) { f = x; a subroutine adds 5 to it, twice; return it }, with jsr and ret. */
    private static byte[] subroutine() throws IOException {
        MakeOdd odd = new MakeOdd();
        int name = odd.reference(7, odd.utf8("OddJsr")), parent = odd.reference(7, odd.utf8("java/lang/Object"));
        int field = odd.member(9, name, "f", "I");
        byte[] code = bytes(0x1a, 0xb3, 0, field, // iload_0, putstatic
            0xa8, 0, 10, // 4: jsr 14
            0xa8, 0, 7, // 7: jsr 14
            0xb2, 0, field, 0xac, // 10: getstatic, ireturn
            0x4c, 0xb2, 0, field, 0x08, 0x60, 0xb3, 0, field, 0xa9, 1); // 14: astore_1 ... ret 1
        Method run = new Method(9, odd.utf8("run"), odd.utf8("(I)I"), 2, 2, code, bytes(), null);
        return odd.build(48, name, parent, odd.utf8("f"), odd.utf8("I"), run);
    }

    /**
     * An instance method, synchronized, that stores into local 0 and goes round a loop whose frame shows it. Of
     * version 50 it has no frames at all, which that version allows.
     */
    private static byte[] lostThis(String className, int version) throws IOException {
        MakeOdd odd = new MakeOdd();
        int name = odd.reference(7, odd.utf8(className)), parent = odd.reference(7, odd.utf8("java/lang/Object"));
        int field = odd.member(9, name, "f", "I");
        int init = odd.member(10, parent, "<init>", "()V"), count = odd.member(10, name, "count", "(I)I");
        byte[] make = bytes(0x2a, 0xb7, 0, init, 0xb1);
        byte[] body = bytes(0x1b, 0x3b, // iload_1, istore_0: `this` is gone
            0x1a, 0x9e, 0, 17, // 2: iload_0, ifle 20
            0xb2, 0, field, 0x1a, 0x60, 0xb3, 0, field, // 6: f += local 0
            0x84, 0, 0xff, 0xa7, 0xff, 0xf1, // 14: iinc 0 -1, goto 2
            0xb2, 0, field, 0xac); // 20: return f
        // At 2 a full frame of two ints, at 20 the same again.
        byte[] frames = version == 50 ? null : bytes(0, 2, 255, 0, 2, 0, 2, 1, 1, 0, 0, 17);
        byte[] start = bytes(0xbb, 0, name, 0x59, 0xb7, 0, odd.member(10, name, "<init>", "()V"), 0x1a, 0xb6, 0, count,
            0xac);
        return odd.build(version, name, parent, odd.utf8("f"), odd.utf8("I"),
            new Method(1, odd.utf8("<init>"), odd.utf8("()V"), 1, 1, make, bytes(), null),
            new Method(0x21, odd.utf8("count"), odd.utf8("(I)I"), 2, 2, body, bytes(), frames),
            new Method(9, odd.utf8("run"), odd.utf8("(I)I"), 3, 1, start, bytes(), null));
    }

    /** An access that throws under two handlers, whose frames give the same local different types. */
    private static byte[] twoTypes() throws IOException {
        MakeOdd odd = new MakeOdd();
        int name = odd.reference(7, odd.utf8("OddTypes")), parent = odd.reference(7, odd.utf8("java/lang/Object"));
        int string = odd.reference(7, odd.utf8("java/lang/String")), text = odd.reference(8, odd.utf8("text"));
        int inner = odd.reference(7, odd.utf8("java/lang/ArithmeticException"));
        int any = odd.reference(7, odd.utf8("java/lang/Throwable"));
        int length = odd.member(10, string, "length", "()I");
        byte[] code = bytes(0x12, text, 0x4c, // ldc, astore_1
            0x01, 0x03, 0x2e, 0x3b, // 3: aconst_null, iconst_0, iaload, istore_0
            0x1a, 0xac, // 7: iload_0, ireturn
            0x57, 0x2b, 0xb6, 0, length, 0xac, // 9: pop, aload_1, invokevirtual, ireturn
            0x57, 0x1a, 0xac); // 15: pop, iload_0, ireturn
        byte[] handlers = bytes(0, 3, 0, 7, 0, 9, 0, inner, 0, 3, 0, 7, 0, 15, 0, 0);
        byte[] frames = bytes(0, 2, 255, 0, 9, 0, 2, 1, 7, 0, string, 0, 1, 7, 0, inner, // at 9
            255, 0, 5, 0, 2, 1, 7, 0, parent, 0, 1, 7, 0, any); // at 15
        Method run = new Method(9, odd.utf8("run"), odd.utf8("(I)I"), 2, 2, code, handlers, frames);
        return odd.build(61, name, parent, odd.utf8("f"), odd.utf8("I"), run);
    }

    /** A method of many array and field accesses inside one loop, with a switch at an odd place. */
    private static void large(StringBuilder source, String name, int statements) {
        source.append("    static synchronized long ").append(name).append("(int[] values, int rounds) {\n");
        source.append("        long sum = 0;\n        for (int i = 0; i < rounds; i++) {\n");
        source.append("            if (values == null)\n                continue;\n");
        for (int i = 0; i < statements; i++)
            source.append("            values[").append(i % 7).append("] += ").append(i % 100).append(";\n");
        source.append("            switch (values[i % 7] % 3) {\n            case 0:\n                sum++;\n");
        source.append("                break;\n            case 1:\n                total++;\n");
        source.append("            default:\n                sum += values[i % 7];\n            }\n");
        source.append("        }\n        return sum + total;\n    }\n\n");
    }

    private static String largeSource() {
        StringBuilder source = new StringBuilder("class Large {\n    static int total;\n\n");
        large(source, "small", 10);
        large(source, "wide", 1400);
        large(source, "tooLarge", 6000);
        source.append("    static long manyLocals(int[] values) {\n");
        for (int i = 0; i < 300; i++)
            source.append("        long local").append(i).append(" = values[").append(i % 7).append("] + ").append(i)
                .append(";\n");
        source.append("        for (int i = 0; i < 1000; i++) {\n            local299 += values[i % 7];\n");
        source.append("            total += 300;\n        }\n        return local0 + local299;\n    }\n\n");
        source.append("    static String run() {\n        int[] values = {1, 2, 3, 4, 5, 6, 7};\n");
        source.append("        return small(values, 9) + \" \" + wide(values, 9) + \" \" + tooLarge(values, 9) + \" \"\n");
        source.append("            + manyLocals(values) + \" \" + wide(null, 3);\n    }\n}\n");
        return source.toString();
    }

    public static void main(String[] arguments) throws IOException {
        Path directory = Path.of(arguments[0]);
        Files.createDirectories(directory);
        Files.write(directory.resolve("OddJsr.class"), subroutine());
        Files.write(directory.resolve("OddLock.class"), lostThis("OddLock", 61));
        Files.write(directory.resolve("OddFifty.class"), lostThis("OddFifty", 50));
        Files.write(directory.resolve("OddTypes.class"), twoTypes());
        Files.writeString(directory.resolve("Large.java"), largeSource());
    }
}
