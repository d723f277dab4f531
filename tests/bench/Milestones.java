// SPDX-License-Identifier: MIT

/** Two threads, each of which adds to a counter of its own and to a shared one, and notes every 300th round. */
public class Milestones extends Thread {
    static int shared;
    int own;
    int milestone;
    final int rounds;

    Milestones(int rounds) {
        this.rounds = rounds;
    }

    @Override
    public void run() {
        for (int i = 0; i < rounds; i++) {
            own += i;
            if (i % 100 == 0)
                shared++;
            if (i % 300 == 0)
                milestone = i;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int rounds = Integer.parseInt(args[0]);
        Milestones one = new Milestones(rounds), two = new Milestones(rounds);
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println(one.own + " " + two.own + " " + shared);
    }
}
