// SPDX-License-Identifier: MIT

/** A method that answers an object. */
public class Maker {
    static Object make() {
        return new int[0];
    }

    public static void main(String[] arguments) {
        System.out.println(make() != null);
    }
}
