package io.fluxmark.experiments.recovery;

import io.fluxmark.benchmarks.Answer;
import io.fluxmark.benchmarks.Generator;
import io.fluxmark.benchmarks.durable.DurableJob;
import io.fluxmark.benchmarks.durable.FilledLog;
import io.fluxmark.experiments.crash.Victim;
import io.fluxmark.state.StoreSpec;
import io.fluxmark.windows.CheckpointSpec;
import io.fluxmark.windows.WindowSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;

/**
 * One job that is killed again and again: each crash begins where the last recovery ended. The recovering job commits every second, as
 * by default, and sets one more barrier when it has read what the killed one had read last.
 */
final class Crashes {

    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final long NONE = -1;

    private final Path directory;
    private final Generator generator;
    private final Duration windows;
    private final Scheduler clock;
    private long committed;

    /** A log and an empty store in a directory. */
    Crashes(Path directory, Generator generator, Duration windows, Scheduler clock) {
        this.directory = directory;
        this.generator = generator;
        this.windows = windows;
        this.clock = clock;
        FilledLog.in(directory.resolve(Victim.LOG), 1, generator, 0).close();
    }

    /** Has a job read so many more events and commit them. */
    void commit(long events) {
        append(events);
        recover(committed + events);
    }

    /** Has a process read so many more events without a commit, kills it, and recovers. */
    Comeback crash(long replay) {
        append(replay);
        long target = committed + replay;
        try (Victim victim = Victim.start(directory, windows, Victim.NEVER, replay == 0 ? 0 : target)) {
            victim.awaitReached();
            victim.kill();
        }
        Comeback comeback = recover(target);
        if (comeback.replayed() != replay) {
            throw new IllegalStateException(
                    "the job had committed: it read " + comeback.replayed() + " records again instead of " + replay);
        }
        return comeback;
    }

    /** Where the store is, which nobody has open between crashes. */
    Path store() {
        return directory.resolve(Victim.STORE);
    }

    private void append(long events) {
        if (events > 0) {
            try (FilledLog log = FilledLog.open(directory.resolve(Victim.LOG))) {
                log.append(generator, events);
            }
        }
    }

    private Comeback recover(long target) {
        Sinks.One<Boolean> there = Sinks.one();
        long[] first = {NONE};
        long start = clock.now(TimeUnit.NANOSECONDS);
        try (FilledLog log = FilledLog.open(directory.resolve(Victim.LOG));
                DurableJob job = open(log, offset -> {
                    if (first[0] == NONE) {
                        first[0] = offset;
                    }
                    if (offset + 1 == target) {
                        there.tryEmitValue(true);
                    }
                })) {
            long opened = clock.now(TimeUnit.NANOSECONDS);
            if (target == committed) {
                there.tryEmitValue(true);
            }
            job.checkpoints(CheckpointSpec.every(INTERVAL).orWhen(there.asMono()))
                    .takeUntil(checkpoint ->
                            checkpoint.lanes().get(0).positions().get(0).nextOffset() >= target)
                    .blockLast(PATIENCE);
            long end = clock.now(TimeUnit.NANOSECONDS);
            committed = target;
            return new Comeback(first[0] == NONE ? 0 : target - first[0], opened - start, end - start, job.fileBytes());
        }
    }

    private DurableJob open(FilledLog log, LongConsumer offsets) {
        return DurableJob.open(store(), log.watched(offsets), WindowSpec.tumbling(windows), StoreSpec.defaults());
    }

    /** Ends the job behind all events, and reads back what the crashes have left of them. */
    Answer finish() {
        try (FilledLog log = FilledLog.open(directory.resolve(Victim.LOG));
                DurableJob job = open(log, offset -> {})) {
            job.runToEnd(CheckpointSpec.every(INTERVAL));
            return job.answer();
        }
    }

    /** How many events it has been given. */
    long events() {
        return committed;
    }
}
