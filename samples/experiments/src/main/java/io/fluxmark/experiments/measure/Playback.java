package io.fluxmark.experiments.measure;

import io.fluxmark.windows.CheckpointBarrier;
import io.fluxmark.windows.EventBatch;
import io.fluxmark.windows.EventFlux;
import io.fluxmark.windows.EventTime;
import io.fluxmark.windows.LaneContext;
import io.fluxmark.windows.LiveCounters;
import io.fluxmark.windows.StateBackend;
import io.fluxmark.windows.StreamElement;
import io.fluxmark.windows.Watermark;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Scannable;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.test.scheduler.VirtualTimeScheduler;

/**
 * A pipeline that is fed event by event, each at its moment on a virtual clock, on the caller's thread. What an event
 * brings forth has come out, and what was due has run, before the next one goes in. Not thread-safe.
 *
 * @param <T> the events
 */
public final class Playback<T> {

    /** Where event time begins in what is made up: midnight UTC, so that windows of all sizes start here. */
    public static final long START = 1_704_067_200_000L;

    private final VirtualTimeScheduler clock = VirtualTimeScheduler.create();
    private final Sinks.Many<StreamElement<T>> sink = Sinks.many().unicast().onBackpressureBuffer();
    private final LaneContext lane;
    private @Nullable Disposable running;
    private @Nullable Throwable failure;
    private @Nullable CheckpointBarrier<?> passed;
    private boolean completed;

    /** A pipeline with its state on the heap; the clock stands at the epoch. */
    public Playback() {
        this(StateBackend.heap());
    }

    /** A pipeline with its state elsewhere. */
    public Playback(StateBackend state) {
        this.lane = new VirtualLane(state, clock);
    }

    /** Where the pipeline starts: events without event time. */
    public EventFlux<T> events() {
        return EventFlux.fromElements(sink.asFlux());
    }

    /** The clock, epoch ms. */
    public long now() {
        return clock.now(TimeUnit.MILLISECONDS);
    }

    /** Runs {@code pipeline}, which starts at {@link #events}, with unlimited demand. */
    public <R> void run(EventFlux<R> pipeline, Consumer<? super R> results) {
        running = pipeline.elements(() -> lane)
                .doOnNext(this::see)
                .transform(EventTime.values())
                .subscribe(results, cause -> failure = cause, () -> completed = true);
    }

    private void see(StreamElement<?> element) {
        if (element instanceof CheckpointBarrier<?> barrier) {
            passed = barrier;
        }
    }

    /** Moves the clock to {@code millis}, never back, and hands in an event. */
    public void event(long millis, T event) {
        moveTo(millis);
        hand(EventBatch.ofValues(event));
    }

    /** Hands in a barrier, which passes all of the pipeline. */
    public void barrier(CheckpointBarrier<T> barrier) {
        hand(barrier);
        CheckpointBarrier<?> last = passed;
        if (last == null || last.transaction() != barrier.transaction()) {
            throw new IllegalStateException("the barrier has not come out of the pipeline");
        }
    }

    private void hand(StreamElement<T> element) {
        sink.tryEmitNext(element).orThrow();
        failIfFailed();
    }

    /** Moves the clock to {@code millis}, never back: what is due runs. */
    public void moveTo(long millis) {
        if (millis > now()) {
            clock.advanceTimeTo(Instant.ofEpochMilli(millis));
            failIfFailed();
        }
    }

    /** The end of the input, and of the pipeline. */
    public void end() {
        hand(new Watermark<>(Watermark.END));
        sink.tryEmitComplete().orThrow();
        failIfFailed();
        if (!completed) {
            throw new IllegalStateException("the pipeline has not completed at the end of its input");
        }
    }

    /** Ends the pipeline without the end of the input: as a process that stops. */
    public void cancel() {
        Objects.requireNonNull(running, "run comes first").dispose();
    }

    /** How many entries the windowed operators hold, all together. */
    public long stateEntries() {
        Disposable subscription = Objects.requireNonNull(running, "run comes first");
        return Scannable.from(subscription)
                .parents()
                .map(operator -> operator.scanUnsafe(Scannable.Attr.LARGE_BUFFERED))
                .filter(Long.class::isInstance)
                .mapToLong(Long.class::cast)
                .sum();
    }

    private void failIfFailed() {
        if (failure != null) {
            throw new IllegalStateException("the pipeline has failed", failure);
        }
    }

    private record VirtualLane(StateBackend state, Scheduler clock) implements LaneContext {

        @Override
        public void counters(String operator, LiveCounters counters) {
            // those who want them ask the windows
        }
    }
}
