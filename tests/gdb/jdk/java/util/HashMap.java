// SPDX-License-Identifier: MIT
// For the toy JVM: the JDK's fields, and just enough code.
package java.util;

public class HashMap<K, V> {
    static class Node<K, V> {
        final int hash;
        final K key;
        V value;
        Node<K, V> next;

        Node(int hash, K key, V value, Node<K, V> next) {
            this.hash = hash;
            this.key = key;
            this.value = value;
            this.next = next;
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    Node<K, V>[] table = (Node<K, V>[]) new Node[4];
    int size;

    public V put(K key, V value) {
        int bucket = size & 1;
        table[bucket] = new Node<>(size, key, value, table[bucket]);
        size++;
        return null;
    }
}
