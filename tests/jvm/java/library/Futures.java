// SPDX-License-Identifier: MIT
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** CompletableFuture on the common pool. */
final class Futures {
    static volatile int shared;

    public static void main(String[] arguments) throws Exception {
        List<CompletableFuture<Integer>> all = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            int task = i;
            CompletableFuture<Integer> first = CompletableFuture.supplyAsync(() -> shared = shared * 3 + task);
            CompletableFuture<Integer> second = CompletableFuture.supplyAsync(() -> shared += Race.work(task % 5));
            all.add(first.thenCombineAsync(second, (a, b) -> a ^ b ^ shared).handle((value, error) -> value + 1));
        }
        CompletableFuture<Object> any = CompletableFuture.anyOf(all.toArray(new CompletableFuture<?>[0]));
        System.out.println(any.get());
        for (CompletableFuture<Integer> each : all)
            System.out.print(each.join() + " ");
        System.out.println(shared);
    }
}
