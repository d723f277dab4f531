// SPDX-License-Identifier: MIT
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;

/** ConcurrentHashMap and ConcurrentSkipListMap, resized and emptied by several threads. */
final class Maps {
    public static void main(String[] arguments) throws Exception {
        ConcurrentHashMap<String, Integer> hashed = new ConcurrentHashMap<>();
        ConcurrentSkipListMap<Integer, String> sorted = new ConcurrentSkipListMap<>();
        Race.run(3, (me, seen) -> {
            for (int i = 0; i < 120; i++) {
                int before = hashed.merge("k" + i % 40, me + 1, (a, b) -> a * 3 + b);
                Integer found = hashed.putIfAbsent("t" + i, me);
                if (i % 3 == 0)
                    hashed.remove("t" + (i - 5));
                hashed.computeIfPresent("k" + (i + 7) % 40, (key, value) -> value % 11 == 0 ? null : value + me);
                String old = sorted.put(i % 30, me + "/" + i);
                if (i % 4 == me)
                    sorted.pollFirstEntry();
                if (i % 30 == 0)
                    seen.append(before).append(' ').append(found).append(' ').append(old).append(' ')
                            .append(hashed.size()).append(' ').append(sorted.size()).append("; ");
            }
        });
        System.out.println(hashed);
        System.out.println(sorted);
    }
}
