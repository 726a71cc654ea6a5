package io.fluxmark.test;

import io.fluxmark.windows.Checkpoint;
import io.fluxmark.windows.LaneCheckpoint;
import io.fluxmark.windows.SourcePosition;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;

/** A job that runs, and how far it says it is. Thread-safe. */
final class RunningJob implements AutoCloseable {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Disposable.Swap subscription = Disposables.swap();
    private final Sinks.Empty<Void> drain = Sinks.empty();
    private final long[] offsets;
    private final Consumer<long[]> onCommit;
    private boolean ended;
    private @Nullable Throwable failure;

    private RunningJob(int lanes, Consumer<long[]> onCommit) {
        this.offsets = new long[lanes];
        this.onCommit = onCommit;
    }

    /** @param onCommit is given the offsets that are acknowledged after each checkpoint */
    static RunningJob start(Function<Publisher<?>, Flux<Checkpoint>> job, int lanes, Consumer<long[]> onCommit) {
        RunningJob running = new RunningJob(lanes, onCommit);
        running.subscription.update(job.apply(running.drain.asMono())
                .subscribe(running::onCheckpoint, running::onError, () -> running.end(null)));
        return running;
    }

    private void onCheckpoint(Checkpoint checkpoint) {
        lock.lock();
        try {
            for (LaneCheckpoint lane : checkpoint.lanes()) {
                for (SourcePosition position : lane.positions()) {
                    offsets[position.partition()] = position.nextOffset();
                }
            }
            onCommit.accept(offsets.clone());
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void onError(Throwable error) {
        end(error);
    }

    private void end(@Nullable Throwable error) {
        lock.lock();
        try {
            failure = error;
            ended = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Has the job read what there is, fire everything and end. */
    void drain() {
        drain.tryEmitEmpty();
    }

    /** Waits until the job has ended. */
    void awaitEnd() {
        await(() -> ended, "end");
    }

    /** Waits until a lane has committed an offset. */
    void awaitOffset(int lane, long offset) {
        await(() -> offsets[lane] >= offset, "offset " + offset + " of lane " + lane);
    }

    private void await(BooleanSupplier condition, String what) {
        lock.lock();
        try {
            long remaining = JobRig.PATIENCE.toNanos();
            while (!condition.getAsBoolean() && !ended && remaining > 0) {
                remaining = changed.awaitNanos(remaining);
            }
            Throwable reason = failure;
            if (reason != null) {
                throw new IllegalStateException("the job failed: " + reason, reason);
            }
            if (!condition.getAsBoolean()) {
                throw new AssertionError("the job has not come to " + what + " but to " + Arrays.toString(offsets)
                        + (ended
                                ? ", and ended"
                                : " within " + TimeUnit.NANOSECONDS.toSeconds(JobRig.PATIENCE.toNanos()) + " s"));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for a job", e);
        } finally {
            lock.unlock();
        }
    }

    /** Cancels the job if it still runs. */
    @Override
    public void close() {
        subscription.dispose();
    }
}
