// SPDX-License-Identifier: MIT
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;

/** Lambdas and method references, of the program's methods and of the JDK's; code of the program called by the JDK. */
final class References {
    static int shared;
    static int[] numbers = new int[8];

    static int step(int x) {
        return shared = shared * 3 + x;
    }

    int field;

    int mine(int x) {
        return field += x;
    }

    public static void main(String[] arguments) throws Exception {
        AtomicInteger atomic = new AtomicInteger();
        List<Integer> list = new ArrayList<>();
        ConcurrentHashMap<String, Integer> map = new ConcurrentHashMap<>();
        References object = new References();
        Race.run(3, (me, seen) -> {
            IntUnaryOperator[] steps = {References::step, object::mine, atomic::addAndGet, x -> numbers[x % 8] += me,
                x -> map.computeIfAbsent("k" + x % 9, key -> shared++), x -> map.merge("m", x, Integer::sum),
                x -> map.compute("c", (key, value) -> step(value == null ? x : value))};
            Supplier<Integer> size = list::size;
            for (int i = 0; i < 120; i++) {
                int result = steps[i % steps.length].applyAsInt(i + me);
                synchronized (list) {
                    list.add(result);
                }
                TreeMap<Integer, Integer> sorted = new TreeMap<>((a, b) -> Integer.compare(a ^ shared & 3, b ^ shared & 3));
                for (int k = 0; k < 4; k++)
                    sorted.put(k, i);
                if (i % 20 == 0)
                    seen.append(result).append(' ').append(size.get()).append(' ').append(sorted).append("; ");
            }
        });
        list.sort(Integer::compare);
        System.out.println(list.hashCode() + " " + atomic + " " + shared);
    }
}
