// SPDX-License-Identifier: MIT
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.SynchronousQueue;

/** Blocking queues: two producers, two consumers, who get whatever comes. */
final class Queues {
    static void through(String name, BlockingQueue<Integer> queue) throws Exception {
        System.out.println(name);
        Race.run(4, (me, seen) -> {
            for (int i = 0; i < 40; i++) {
                if (me < 2)
                    queue.put(me * 100 + i);
                else
                    seen.append(queue.take()).append(' ');
            }
        });
    }

    public static void main(String[] arguments) throws Exception {
        for (String name : arguments) {
            switch (name) {
            case "LinkedBlockingQueue":
                through(name, new LinkedBlockingQueue<>(5));
                break;
            case "ArrayBlockingQueue":
                through(name, new ArrayBlockingQueue<>(5));
                break;
            case "LinkedBlockingDeque":
                through(name, new LinkedBlockingDeque<>(5));
                break;
            case "PriorityBlockingQueue":
                through(name, new PriorityBlockingQueue<>());
                break;
            case "SynchronousQueue":
                through(name, new SynchronousQueue<>());
                break;
            case "fair SynchronousQueue":
                through(name, new SynchronousQueue<>(true));
                break;
            default:
                through(name, new LinkedTransferQueue<>());
            }
        }
    }
}
