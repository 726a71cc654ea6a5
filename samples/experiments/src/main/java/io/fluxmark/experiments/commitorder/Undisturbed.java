package io.fluxmark.experiments.commitorder;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import reactor.core.scheduler.Scheduler;

/** Counts in this process what a producer sends, some of it again, and nothing is killed. */
final class Undisturbed {

    private static final int BLOCKS = 100;

    private final Scheduler clock;

    Undisturbed(Scheduler clock) {
        this.clock = clock;
    }

    /**
     * What came of it.
     *
     * @param records different ones that were sent
     * @param counted what was counted, sum over the keys
     * @param nanosPerCycle from reading a cycle's records until all of it was durable
     */
    record Outcome(long records, long counted, double nanosPerCycle) {}

    /** Counts at least so many records over a new store. */
    Outcome run(CommitOrder order, int times, Path parent) {
        Path directory = parent.resolve("undisturbed-" + order);
        long arrivals = times * Resends.arrivals(BLOCKS);
        long cycles = arrivals / Counting.CYCLE;
        long nanos;
        try (CountStore store = CountStore.open(directory)) {
            Counting counting = new Counting(store, order, Resends::record);
            long began = clock.now(TimeUnit.NANOSECONDS);
            for (long cycle = 0; cycle < cycles; cycle++) {
                counting.cycle();
            }
            nanos = clock.now(TimeUnit.NANOSECONDS) - began;
        }
        try (CountStore store = CountStore.open(directory)) {
            long counted = Arrays.stream(store.read(order).counts()).sum();
            return new Outcome(Resends.different(arrivals), counted, (double) nanos / cycles);
        }
    }
}
