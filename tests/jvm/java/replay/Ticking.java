// SPDX-License-Identifier: MIT

/** Never ends by itself. */
public class Ticking {
    static int count;

    public static void main(String[] args) throws Exception {
        new Thread(() -> {
            for (;;)
                count++;
        }).start();
        for (int i = 0;; i++) {
            System.out.println(i + " " + count);
            Thread.sleep(20);
        }
    }
}
