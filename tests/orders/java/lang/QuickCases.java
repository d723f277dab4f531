// SPDX-License-Identifier: MIT
package java.lang;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.FileOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jdk.internal.misc.Unsafe;

/** Does every event in every case of a plan (tests/orders/quick_test.c), and writes what came of it. */
final class QuickCases {
    private static final Unsafe U = Unsafe.getUnsafe();
    private static final Map<String, Long> NUMBERS = new HashMap<>();

    private record Field(long offset, int width, boolean pointer, long[] values) {
    }

    private static final List<Field> FIELDS = new ArrayList<>();
    static boolean replay;
    private static long size, base, place;

    private QuickCases() {
    }

    static long number(String name) {
        if (!NUMBERS.containsKey(name))
            throw new AssertionError("layout.def has no " + name);
        long number = NUMBERS.get(name);
        return name.equals("session.stop_flag") ? base + number : number;
    }

    private static void read(Path plan) throws Exception {
        for (String line : Files.readAllLines(plan)) {
            String[] word = line.split(" ");
            switch (word[0]) {
                case "replay" -> replay = word[1].equals("1");
                case "number" -> NUMBERS.put(word[1], Long.parseLong(word[2]));
                case "bytes" -> {
                    size = Long.parseLong(word[1]);
                    place = Long.parseLong(word[2]);
                }
                default -> {
                    long[] values = new long[word.length - 4];
                    for (int i = 0; i < values.length; i++)
                        values[i] = Long.parseLong(word[i + 4]);
                    FIELDS.add(new Field(Long.parseLong(word[1]), Integer.parseInt(word[2]), word[3].equals("1"), values));
                }
            }
        }
        base = U.allocateMemory(size + 16) + 15 & -16;
        place += base;
    }

    private static void set(long number) {
        U.setMemory(base, size, (byte) 0);
        for (Field field : FIELDS) {
            long value = field.values[(int) (number % field.values.length)];
            number /= field.values.length;
            if (field.pointer && value != 0)
                value += base;
            switch (field.width) {
                case 1 -> U.putByte(base + field.offset, (byte) value);
                case 4 -> U.putInt(base + field.offset, (int) value);
                default -> U.putLong(base + field.offset, value);
            }
        }
    }

    private static void relative(long offset) {
        long address = U.getLong(base + offset);
        if (address != 0)
            U.putLong(base + offset, address - base);
    }

    private static long digest() {
        relative(DittoQuick.ACCESS);
        relative(number("thread.word"));
        long hash = 0;
        for (long at = 0; at < size; at += 8) {
            hash = (hash ^ U.getLong(base + at)) * 0x9e3779b97f4a7c15L;
            hash ^= hash >>> 32;
        }
        return hash;
    }

    private static final long[] KINDS = {0, DittoQuick.STORING, DittoQuick.STORING | DittoQuick.UPDATING};

    private static boolean perform(int event) {
        long access = place | KINDS[event % 3];
        if (event >= 3)
            U.putLong(base + DittoQuick.ACCESS, access);
        switch (event) {
            case 0:
                return replay ? DittoQuickFields.beginFree(base, place) : DittoQuickFields.recordLoad(base, place);
            case 1:
                return replay ? DittoQuickFields.beginFree(base, access) : DittoQuickFields.recordStore(base, place);
            case 2:
                return replay ? DittoQuickFields.beginFree(base, access) : DittoQuickFields.recordUpdateBegin(base, place);
            default:
                boolean done = end(event);
                if (done)
                    U.putLong(base + DittoQuick.ACCESS, 0);
                return done;
        }
    }

    private static boolean end(int event) {
        if (replay && event == 3)
            DittoQuickFields.replayLoad(base, place);
        else if (replay)
            DittoQuickFields.replayStore(base, place);
        else if (event == 5)
            return DittoQuickFields.recordUpdateEnd(base, place);
        else
            DittoQuickFields.unlock(place);
        return true;
    }

    /** An end without a word to count in would write to nowhere; C does not look at these answers. */
    private static boolean isPossible(int event) {
        return event < 3 || replay || U.getLong(base + number("thread.word")) != 0;
    }

    public static void main(String[] args) throws Exception {
        read(Path.of(args[0]));
        long cases = 1;
        for (Field field : FIELDS)
            cases *= field.values.length;
        try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(new FileOutputStream(args[1]), 1 << 20))) {
            for (long number = 0; number < cases; number++) {
                for (int event = 0; event < 6; event++) {
                    set(number);
                    DittoHooks.woken = DittoHooks.wokenForLock = 0;
                    boolean done = isPossible(event) && perform(event);
                    out.writeLong(Long.reverseBytes(digest()));
                    out.writeLong(Long.reverseBytes(done ? 1 : 0));
                    out.writeLong(Long.reverseBytes(DittoHooks.woken));
                    out.writeLong(Long.reverseBytes(DittoHooks.wokenForLock));
                }
            }
        }
    }
}
