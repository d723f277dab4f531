// SPDX-License-Identifier: MIT
// For the toy JVM: the JDK's fields, and just enough code.
package java.util;

public class LinkedList<E> {
    private static class Node<E> {
        E item;
        Node<E> next;
        Node<E> prev;
    }

    int size;
    Node<E> first;
    Node<E> last;

    public boolean add(E element) {
        Node<E> node = new Node<>();
        node.item = element;
        node.prev = last;
        if (last == null) {
            first = node;
        } else {
            last.next = node;
        }
        last = node;
        size++;
        return true;
    }
}
