// SPDX-License-Identifier: MIT
// For the toy JVM: the JDK's fields, and just enough code.
package java.util;

public class ArrayList<E> {
    private static final int CAPACITY = 10;
    Object[] elementData = new Object[CAPACITY];
    private int size;

    public boolean add(E element) {
        elementData[size++] = element;
        return true;
    }
}
