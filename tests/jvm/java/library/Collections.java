// SPDX-License-Identifier: MIT
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.Vector;

/** Collections that are not made for several threads, used by several: what breaks must break again. */
final class Collections {
    interface Step {
        Object run(int me, int i);
    }

    static void shared(String name, Step step) throws Exception {
        System.out.println(name);
        Race.run(3, (me, seen) -> {
            int broken = 0;
            for (int i = 0; i < 150; i++) {
                Object result;
                try {
                    result = step.run(me, i);
                } catch (RuntimeException e) {
                    broken++;
                    result = e.getClass().getSimpleName();
                }
                if (i % 30 == 0)
                    seen.append(result).append(' ');
            }
            seen.append(broken);
        });
    }

    static int sum(Iterable<Integer> numbers) {
        int sum = 0;
        for (Integer number : numbers)
            sum += number == null ? 1000000 : number;
        return sum;
    }

    public static void main(String[] arguments) throws Exception {
        Map<Integer, Integer> hashed = new HashMap<>();
        shared("HashMap", (me, i) -> i % 10 == 9 ? sum(hashed.values()) : hashed.put(i * 3 + me, i));
        System.out.println(hashed.size());
        List<Integer> list = new ArrayList<>();
        shared("ArrayList", (me, i) -> i % 10 == 9 ? sum(list) : i % 10 == 5 ? list.remove(list.size() - 1) : list.add(i));
        System.out.println(list.size() + " " + list);
        System.out.println(new HashMap<>(Map.of(1, 2)).clone() + " " + new ArrayList<>(List.of(3)).clone());
        TreeMap<Integer, Integer> sorted = new TreeMap<>();
        shared("TreeMap", (me, i) -> i % 10 == 9 ? sum(sorted.values()) : sorted.put(i % 50 * 3 + me, i));
        Map<Integer, Integer> identical = new IdentityHashMap<>();
        Integer[] keys = new Integer[60];
        for (int i = 0; i < keys.length; i++)
            keys[i] = 1000 + i;
        shared("IdentityHashMap",
                (me, i) -> i % 10 == 9 ? sum(identical.values()) : identical.put(keys[(i * 7 + me) % keys.length], i));
        System.out.println(identical.size());
        ArrayDeque<Integer> deque = new ArrayDeque<>();
        shared("ArrayDeque", (me, i) -> me == 0 ? deque.pollFirst() : deque.offerLast(i));
        System.out.println(deque.size());
        LinkedList<Integer> linked = new LinkedList<>();
        shared("LinkedList", (me, i) -> me == 0 ? linked.poll() : linked.add(i));
        System.out.println(linked.size());
        PriorityQueue<Integer> heap = new PriorityQueue<>();
        shared("PriorityQueue", (me, i) -> me == 0 ? heap.poll() : heap.add(i ^ 21));
        Vector<Integer> vector = new Vector<>();
        shared("Vector", (me, i) -> i % 5 == 4 ? vector.elementAt(vector.size() / 2) : vector.add(i * me));
        System.out.println(vector);
        int[] ring = new int[64];
        shared("arraycopy", (me, i) -> {
            ring[i % 64] += me + i;
            System.arraycopy(ring, 0, ring, 1 + me, 40);
            int[] copy = ring.clone();
            return copy[me] + java.util.Arrays.copyOf(ring, 50)[49];
        });
    }
}
