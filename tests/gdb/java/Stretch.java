// SPDX-License-Identifier: MIT
/** Between two events main takes more steps than a log of them holds. */
class Stretch {
    static int done;

    public static void main(String[] args) throws InterruptedException {
        Thread early = new Thread(() -> done++);
        early.start();
        early.join();
        int sum = 0;
        for (int i = 0; i < 60000; i++) {
            sum = sum * 31 + i;
        }
        done = sum;
    }
}
