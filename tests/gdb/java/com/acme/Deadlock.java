// SPDX-License-Identifier: MIT
package com.acme;

public class Deadlock {
    static final Object left = new Object();
    static final Object right = new Object();
    static int turns;

    static void both(Object first, Object second) {
        synchronized (first) {
            turns = turns + 1;
            synchronized (second) {
                turns = turns + 1;
            }
        }
    }

    public static void main(String[] args) {
        new Thread(() -> both(left, right), "lefty").start();
        new Thread(() -> both(right, left), "righty").start();
    }
}
