package io.fluxmark.benchmarks.state;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/**
 * What the counting function has seen. Flink copies functions by serialising them, so they find it in a static field;
 * one job runs at a time. All but the waiting is for the function's thread.
 */
final class FlinkProgress {

    private static final int MOST_PARTS = 3;
    private static final long LOOK_MILLIS = 200;

    private static volatile @Nullable FlinkProgress current;

    private final Scheduler clock;
    private final CompletableFuture<Part>[] parts;
    private final CompletableFuture<Long> checkpointOfAll = new CompletableFuture<>();
    private final CompletableFuture<Long> total = new CompletableFuture<>();
    private final CompletableFuture<Long> firstUpdateAt = new CompletableFuture<>();
    private int part;
    private long began;
    private long inPart;
    private long updates;
    private int checkpoints;
    private boolean ended;
    private long coversAll = Long.MAX_VALUE;

    @SuppressWarnings("unchecked")
    private FlinkProgress(Scheduler clock) {
        this.clock = clock;
        parts = Stream.generate(CompletableFuture::new).limit(MOST_PARTS).toArray(CompletableFuture[]::new);
    }

    /** One part of the updates, from its first one until its last is behind. */
    record Part(long updates, long nanos, int checkpoints) {}

    /** For the next job. */
    static FlinkProgress begin(Scheduler clock) {
        FlinkProgress progress = new FlinkProgress(clock);
        current = progress;
        return progress;
    }

    static FlinkProgress current() {
        return Objects.requireNonNull(current, "no job has been begun");
    }

    void updated() {
        if (inPart++ == 0) {
            began = clock.now(TimeUnit.NANOSECONDS);
            firstUpdateAt.complete(began);
        }
    }

    void mark(long mark) {
        if (mark == UpdateSource.END_OF_PART) {
            updates += inPart;
            parts[part++].complete(new Part(inPart, clock.now(TimeUnit.NANOSECONDS) - began, checkpoints));
            inPart = 0;
            checkpoints = 0;
        } else {
            ended = true;
        }
    }

    void snapshot(long checkpoint) {
        if (ended && coversAll == Long.MAX_VALUE) {
            coversAll = checkpoint;
        }
    }

    void complete(long checkpoint) {
        checkpoints++;
        if (checkpoint >= coversAll) {
            checkpointOfAll.complete(updates);
        }
    }

    void total(long sum) {
        total.complete(sum);
    }

    Part await(int number, FlinkJob job) throws Exception {
        return await(parts[number], job);
    }

    /** Waits for a checkpoint behind the last update, and gives the number of all updates. */
    long awaitCheckpointOfAll(FlinkJob job) throws Exception {
        return await(checkpointOfAll, job);
    }

    /** Waits for what the state holds. */
    long awaitTotal(FlinkJob job) throws Exception {
        return await(total, job);
    }

    /** When the first update was done, by the clock in nanoseconds. */
    long awaitFirstUpdate(FlinkJob job) throws Exception {
        return await(firstUpdateAt, job);
    }

    private static <T> T await(CompletableFuture<T> future, FlinkJob job) throws Exception {
        while (true) {
            try {
                return future.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                job.check();
            }
        }
    }
}
