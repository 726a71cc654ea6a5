package io.fluxmark.test;

import io.fluxmark.sinks.LogSource;
import io.fluxmark.windows.Aggregation;
import io.fluxmark.windows.EventFlux;
import io.fluxmark.windows.LateEvent;
import io.fluxmark.windows.TimestampFunction;
import io.fluxmark.windows.WatermarkSpec;
import io.fluxmark.windows.WindowResult;
import io.fluxmark.windows.WindowSpec;
import io.fluxmark.windows.WindowedFlux;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The definition of one windowed aggregation, from which both sides of a {@link BatchEquivalence} are made: the pipeline
 * under test, and the plain loops that it is held against. Immutable.
 *
 * @param <T> the events
 * @param <K> the key, of a class that {@link io.fluxmark.windows.KeyCodec#tagged} takes
 * @param <A> the accumulator
 * @param <R> the result, with an {@code equals}
 */
public final class WindowedPipeline<T, K, A, R> {

    private final TimestampFunction<? super T> time;
    private final WatermarkSpec watermarks;
    private final Function<? super T, ? extends K> key;
    private final WindowSpec windows;
    private final Aggregation<? super T, A, R> aggregation;
    private final Scheduler clock;
    private final boolean lateOutput;

    private WindowedPipeline(
            TimestampFunction<? super T> time,
            WatermarkSpec watermarks,
            Function<? super T, ? extends K> key,
            WindowSpec windows,
            Aggregation<? super T, A, R> aggregation,
            Scheduler clock,
            boolean lateOutput) {
        this.time = Objects.requireNonNull(time, "time");
        this.watermarks = Objects.requireNonNull(watermarks, "watermarks");
        this.key = Objects.requireNonNull(key, "key");
        this.windows = Objects.requireNonNull(windows, "windows");
        this.aggregation = Objects.requireNonNull(aggregation, "aggregation");
        this.clock = Objects.requireNonNull(clock, "clock");
        this.lateOutput = lateOutput;
    }

    /** A pipeline that drops what is past the allowed lateness, with the clock of {@link Schedulers#parallel()}. */
    public static <T, K, A, R> WindowedPipeline<T, K, A, R> of(
            TimestampFunction<? super T> time,
            WatermarkSpec watermarks,
            Function<? super T, ? extends K> key,
            WindowSpec windows,
            Aggregation<? super T, A, R> aggregation) {
        return new WindowedPipeline<>(time, watermarks, key, windows, aggregation, Schedulers.parallel(), false);
    }

    /** The clock of the guard against far-future timestamps (S36); stop it, or the two sides may read different times. */
    public WindowedPipeline<T, K, A, R> clock(Scheduler clock) {
        return new WindowedPipeline<>(time, watermarks, key, windows, aggregation, clock, lateOutput);
    }

    /** Sends what is past the allowed lateness to a late output, which is checked too. */
    public WindowedPipeline<T, K, A, R> withLateOutput() {
        return new WindowedPipeline<>(time, watermarks, key, windows, aggregation, clock, true);
    }

    /** The pipeline as a user writes it, over events without event time yet. */
    public EventFlux<WindowResult<K, R>> apply(EventFlux<T> events, Consumer<? super LateEvent<T>> late) {
        WindowedFlux<K, T> windowed =
                events.watermarksMillis(time, watermarks).<K>keyBy(key).window(windows);
        return (lateOutput ? windowed.lateTo(late) : windowed).aggregate(aggregation);
    }

    /** The same over a log: one lane for each partition. What is late is dropped, and counted. */
    EventFlux<WindowResult<K, R>> partitioned(LogSource<T> source) {
        return source.watermarksMillis(time, watermarks)
                .<K>keyByRecordKey(key)
                .window(windows)
                .aggregate(aggregation);
    }

    TimestampFunction<? super T> time() {
        return time;
    }

    WatermarkSpec watermarks() {
        return watermarks;
    }

    Function<? super T, ? extends K> key() {
        return key;
    }

    WindowSpec windows() {
        return windows;
    }

    Aggregation<? super T, A, R> aggregation() {
        return aggregation;
    }

    Scheduler clock() {
        return clock;
    }

    boolean hasLateOutput() {
        return lateOutput;
    }

    @Override
    public String toString() {
        return windows + ", " + aggregation + ", out-of-orderness bound " + watermarks.delayMillis() + " ms"
                + (lateOutput ? ", late output" : "");
    }
}
