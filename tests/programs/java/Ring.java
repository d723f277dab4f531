// SPDX-License-Identifier: MIT
import com.lmax.disruptor.BlockingWaitStrategy;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.dsl.Disruptor;
import com.lmax.disruptor.dsl.ProducerType;
import com.lmax.disruptor.util.DaemonThreadFactory;

/** The LMAX Disruptor: producers race for the slots of one ring; two consumers in parallel, and a third behind them. */
public class Ring {
    static final class Slot {
        long producer, number, first, second;
    }

    private static long order, sums;

    public static void main(String[] arguments) throws Exception {
        int producers = Integer.parseInt(arguments[0]), events = Integer.parseInt(arguments[1]);
        Disruptor<Slot> disruptor = new Disruptor<>(Slot::new, 64, DaemonThreadFactory.INSTANCE, ProducerType.MULTI,
                new BlockingWaitStrategy());
        disruptor.handleEventsWith((slot, sequence, last) -> slot.first = slot.number * 3 + slot.producer,
                (slot, sequence, last) -> slot.second = slot.number ^ sequence).then((slot, sequence, last) -> {
                    order = order * 31 + slot.producer;
                    sums += slot.first + slot.second;
                });
        RingBuffer<Slot> ring = disruptor.start();
        Thread[] threads = new Thread[producers];
        for (int i = 0; i < producers; i++) {
            int producer = i;
            threads[i] = new Thread(() -> {
                for (int j = 0; j < events; j++) {
                    int number = j;
                    ring.publishEvent((slot, sequence) -> {
                        slot.producer = producer;
                        slot.number = number;
                    });
                }
            });
            threads[i].start();
        }
        for (Thread thread : threads)
            thread.join();
        disruptor.shutdown();
        System.out.println("order " + order + ", sums " + sums + ", cursor " + ring.getCursor());
    }
}
