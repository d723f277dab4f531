// SPDX-License-Identifier: MIT
package com.acme.deep;

/** A computation without an end, in which nothing is recorded. */
final class Endless {
    static int rounds;

    public static void main(String[] args) {
        rounds = 1;
        System.out.println("it begins");
        long sum = 0;
        for (long i = 0; i >= 0; i++) sum = sum * 31 + i;
    }
}
