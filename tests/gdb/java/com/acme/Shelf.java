// SPDX-License-Identifier: MIT
package com.acme;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedList;

public class Shelf {
    static byte tiny = -5;
    static boolean full;
    static char[] letters = {'a', 'b'};
    static double[][] grid = new double[2][];
    static String nothing;

    public static void main(String[] args) {
        ArrayList<Object> list = new ArrayList<>();
        list.add("one");
        list.add(Integer.valueOf(2));
        list.add(null);
        HashMap<Object, Object> map = new HashMap<>();
        map.put("key", "value");
        map.put(Integer.valueOf(3), list);
        HashSet<Object> set = new HashSet<>();
        set.add("element");
        LinkedList<Object> linked = new LinkedList<>();
        linked.add("first");
        linked.add("second");
        grid[1] = new double[] {0.5, 1.5};
        String quoted = "a \"b\" \u00e4";
        String wide = "5 \u20ac, \ud83d\ude00";
        Object object = linked;
        RuntimeException exception = new RuntimeException("sorry");
        full = true;
    }
}
