// SPDX-License-Identifier: MIT
package com.acme;

public class Loop {
    static int sum;

    static int depth(int n) {
        if (n == 0) {
            return 0;
        }
        return 1 + depth(n - 1);
    }

    public static void main(String[] args) {
        int total = 0;
        for (int i = 0; i < 4; i++) {
            total += i;
            sum = total;
        }
        int deep = depth(5);
        long[] big = new long[300];
        big[299] = deep;
    }
}
