// SPDX-License-Identifier: MIT
package com.acme;

/**
 * Comes to a standstill the same way each time: main holds the left and waits for the end of a thread that holds the
 * right and waits for the end of one that wants the left. A third wants the right, and a fourth a bell that never rings.
 */
public class Standstill {
    static final Object left = new Object();
    static final Object right = new Object();
    static final Object bell = new Object();
    static int turns;

    static void take(Object lock) {
        synchronized (lock) {
            turns = turns + 1;
        }
    }

    static void listen() {
        synchronized (bell) {
            try {
                bell.wait();
            } catch (InterruptedException e) {
                turns = -1;
            }
        }
    }

    static void hold() {
        synchronized (right) {
            turns = turns + 1;
            Thread third = new Thread(() -> take(right), "third");
            Thread second = new Thread(() -> take(left), "second");
            third.start();
            second.start();
            try {
                second.join();
            } catch (InterruptedException e) {
                turns = -1;
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread listener = new Thread(Standstill::listen, "listener");
        Thread first = new Thread(Standstill::hold, "first");
        listener.start();
        synchronized (left) {
            turns = turns + 1;
            first.start();
            first.join();
        }
    }
}
