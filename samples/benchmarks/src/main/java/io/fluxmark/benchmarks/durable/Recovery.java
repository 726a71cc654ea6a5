package io.fluxmark.benchmarks.durable;

import io.fluxmark.benchmarks.Generator;
import io.fluxmark.benchmarks.log.Workspace;
import io.fluxmark.windows.CheckpointSpec;
import io.fluxmark.windows.WindowSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import reactor.core.scheduler.Scheduler;

/**
 * How long a job takes to come back to where it was: a job that has committed some events is left, its store is opened
 * again, and it works through so many records as there were since that commit, up to the first commit behind them.
 */
public final class Recovery {

    /** So long that a window holds every key. */
    private static final Duration WINDOW = Duration.ofSeconds(1_000);

    private static final Duration INTERVAL = Duration.ofMillis(100);

    private final Workspace workspace;
    private final Scheduler clock;

    /** Files are written to {@code workspace}; times are those of {@code clock}. */
    public Recovery(Workspace workspace, Scheduler clock) {
        this.workspace = workspace;
        this.clock = clock;
    }

    /**
     * One recovery.
     *
     * @param keys in the state, about
     * @param replayed records that were read again
     * @param openNanos from opening the store to the state being open
     * @param nanos from opening the store to the commit that holds the records
     * @param storeBytes the size of the store's file
     */
    public record Sample(long keys, long replayed, long openNanos, long nanos, long storeBytes) {}

    /**
     * Recovers with so many keys, once for each of some numbers of records to replay.
     *
     * @param committed events that are committed before, at least one for each key
     * @param between is done with the store's directory, while nobody has it open, before it is opened again
     */
    public List<Sample> of(long keys, long committed, List<Long> replays, Consumer<Path> between) {
        List<Sample> samples = new ArrayList<>();
        for (long replay : replays) {
            workspace.within(directory -> samples.add(recover(directory, keys, committed, replay, between)));
        }
        return samples;
    }

    private Sample recover(Path directory, long keys, long committed, long replay, Consumer<Path> between) {
        Path stored = directory.resolve("store");
        Generator generator = Generator.uniform(keys);
        try (FilledLog log = FilledLog.in(directory.resolve("log"), 1, generator, committed)) {
            try (DurableJob job = DurableJob.open(stored, log, WindowSpec.tumbling(WINDOW))) {
                runTo(committed, job);
            }
            log.append(generator, replay);
            between.accept(stored);
            long start = clock.now(TimeUnit.NANOSECONDS);
            try (DurableJob job = DurableJob.open(stored, log, WindowSpec.tumbling(WINDOW))) {
                long opened = clock.now(TimeUnit.NANOSECONDS);
                if (replay > 0) {
                    runTo(committed + replay, job);
                }
                long end = clock.now(TimeUnit.NANOSECONDS);
                return new Sample(keys, replay, opened - start, end - start, job.fileBytes());
            }
        }
    }

    /** Runs to the commit that holds all records below an offset, where the log ends. */
    private static void runTo(long offset, DurableJob job) {
        job.checkpoints(CheckpointSpec.every(INTERVAL))
                .takeUntil(checkpoint ->
                        checkpoint.lanes().get(0).positions().get(0).nextOffset() >= offset)
                .blockLast();
    }
}
