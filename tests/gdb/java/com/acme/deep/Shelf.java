// SPDX-License-Identifier: MIT
package com.acme.deep;

import java.io.File;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.PriorityQueue;
import java.util.Properties;
import java.util.Queue;
import java.util.Set;
import java.util.Stack;
import java.util.TreeMap;
import java.util.UUID;
import java.util.Vector;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.LongAdder;

/** Objects of the JDK, one of each kind that is printed as what it means. */
final class Shelf {
    enum Size { SMALL, LARGE }

    /** An exception that the JDK throws: none of the program's classes names its class. */
    static Exception thrownByJdk() {
        try {
            return new IOException(List.of(1).iterator().next() + Arrays.asList("a").remove(0));
        } catch (RuntimeException e) {
            return e;
        }
    }

    static int lists() {
        List<Integer> none = List.of(), one = List.of(1), two = List.of(1, 2), many = List.of(1, 2, 3);
        List<String> fixed = Arrays.asList("a", null), single = Collections.singletonList("s");
        List<String> empty = Collections.emptyList(), own = new ArrayList<>(fixed);
        Collection<String> closed = Collections.unmodifiableList(own), guarded = Collections.synchronizedCollection(own);
        Set<String> set = Set.of("x");
        Vector<Integer> vector = new Vector<>(many);
        Stack<Integer> stack = new Stack<>();
        stack.push(7);
        Queue<Integer> heap = new PriorityQueue<>(List.of(3, 1, 2)), blocking = new PriorityBlockingQueue<>(heap);
        Queue<String> ring = new ArrayBlockingQueue<>(2), linked = new LinkedBlockingQueue<>(), lockless = new ConcurrentLinkedQueue<>();
        Collections.addAll(ring, "gone", "first");
        ring.remove();
        ring.add("second");
        Collections.addAll(linked, "gone", "first");
        linked.remove();
        Collections.addAll(lockless, "gone", "first");
        lockless.remove();
        Set<Integer> copied = new CopyOnWriteArraySet<>(many);
        return none.size() + one.size() + two.size() + single.size() + empty.size() + closed.size() + guarded.size()
                + set.size() + vector.size() + blocking.size() + copied.size();
    }

    static int maps() {
        Map<String, Integer> one = Map.of("k", 1), none = Map.of(), single = Collections.singletonMap("k", 2);
        Map<Size, List<Integer>> sizes = new EnumMap<>(Size.class);
        sizes.put(Size.LARGE, List.of(10, 20));
        Map<String, Integer> table = new Hashtable<>(one), skip = new ConcurrentSkipListMap<>(one);
        Map<String, Integer> closed = Collections.unmodifiableMap(new TreeMap<>(one));
        Properties properties = new Properties();
        properties.setProperty("name", "value");
        return none.size() + single.size() + sizes.size() + table.size() + skip.size() + closed.size();
    }

    static String values() {
        BigInteger big = BigInteger.ONE.shiftLeft(70).negate();
        BigDecimal price = new BigDecimal("-0.25"), huge = new BigDecimal(big, 3);
        UUID id = new UUID(1, -1);
        File file = new File("/tmp/shelf");
        OptionalInt some = OptionalInt.of(3), nothing = OptionalInt.empty();
        AtomicBoolean flag = new AtomicBoolean(true);
        AtomicIntegerArray counts = new AtomicIntegerArray(new int[] {4, 5});
        LongAdder sum = new LongAdder();
        sum.add(6);
        StringBuffer buffer = new StringBuffer("buf");
        LocalDate day = LocalDate.of(2024, 1, 2);
        Runnable task = () -> System.out.println(day);
        Object error = new IllegalStateException("bad", thrownByJdk());
        return "" + big + price + huge + id + file + some + nothing + flag + counts + sum + buffer + day + (task == error);
    }

    public static void main(String[] args) {
        System.out.println(lists() + maps() + values().length());
    }
}
