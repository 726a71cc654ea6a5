package io.fluxmark.experiments.measure;

import io.fluxmark.windows.EventFlux;
import io.fluxmark.windows.EventTime;
import io.fluxmark.windows.LaneContext;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Scannable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;
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
    private final Sinks.Many<T> sink = Sinks.many().unicast().onBackpressureBuffer();
    private @Nullable Disposable running;
    private @Nullable Throwable failure;
    private boolean completed;

    /** The clock stands at the epoch. */
    public Playback() {}

    /** Where the pipeline starts. */
    public Flux<T> events() {
        return sink.asFlux();
    }

    /** The clock, epoch ms. */
    public long now() {
        return clock.now(TimeUnit.MILLISECONDS);
    }

    /** Runs {@code pipeline}, which starts at {@link #events}, with unlimited demand. */
    public <R> void run(EventFlux<R> pipeline, Consumer<? super R> results) {
        running = pipeline.elements(() -> LaneContext.local(clock))
                .transform(EventTime.values())
                .subscribe(results, cause -> failure = cause, () -> completed = true);
    }

    /** Moves the clock to {@code millis}, never back, and hands in an event. */
    public void event(long millis, T event) {
        moveTo(millis);
        sink.tryEmitNext(event).orThrow();
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
        sink.tryEmitComplete().orThrow();
        failIfFailed();
        if (!completed) {
            throw new IllegalStateException("the pipeline has not completed at the end of its input");
        }
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
}
