package io.fluxmark.benchmarks;

import io.fluxmark.windows.WindowSpec;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import reactor.core.scheduler.Scheduler;

/**
 * Tumbling windows over more and more keys, all equally frequent: how much dearer an event becomes, ours beside the loop
 * with hash maps. The windows are so long that there is an entry for nearly every key.
 */
final class KeySeries {

    private static final Duration SIZE = Duration.ofSeconds(1_000);

    private final BenchOptions options;
    private final Scheduler clock;
    private final PrintStream out;

    KeySeries(BenchOptions options, Scheduler clock, PrintStream out) {
        this.options = options;
        this.clock = clock;
        this.out = out;
    }

    /** 0 if all answers are equal, 1 if not. */
    int run(List<Long> keyCounts) {
        List<double[]> costs = new ArrayList<>();
        int exit = 0;
        for (long keys : keyCounts) {
            Generator generator = Generator.uniform(keys);
            List<Contender> boxed =
                    Workload.tumblingLoops(generator, SIZE.toMillis()).subList(0, 1);
            Contender ours = new Contender(
                    Variant.PLAIN.toString(),
                    n -> Pipeline.run(WindowSpec.tumbling(SIZE), generator, Variant.PLAIN, n));
            Bench bench = new Bench(options, clock, out, generator, boxed, List.of(ours));
            exit |= bench.run(
                    String.format(Locale.ROOT, "tumbling, windows of %d s, %,d keys", SIZE.toSeconds(), keys));
            costs.add(bench.bestNanosPerEvent());
            out.println();
        }
        report(keyCounts, costs);
        return exit;
    }

    private void report(List<Long> keyCounts, List<double[]> costs) {
        out.printf(
                "%12s %14s %14s %14s %14s %8s%n",
                "keys", "ours, ns/event", "growth", "loop, ns/event", "growth", "ratio");
        double[] first = costs.get(0);
        for (int i = 0; i < costs.size(); i++) {
            double[] cost = costs.get(i);
            double ours = cost[0] / first[0];
            double loop = cost[1] / first[1];
            out.printf(
                    Locale.ROOT,
                    "%,12d %14.1f %14.2f %14.1f %14.2f %8.2f%n",
                    keyCounts.get(i),
                    cost[0],
                    ours,
                    cost[1],
                    loop,
                    ours / loop);
        }
    }
}
