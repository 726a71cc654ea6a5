package io.fluxmark.test;

import io.fluxmark.sinks.ChangelogSink;
import io.fluxmark.sinks.LogSource;
import io.fluxmark.sinks.TransactionalSink;
import io.fluxmark.state.StateStore;
import io.fluxmark.windows.Aggregation;
import io.fluxmark.windows.Codec;
import io.fluxmark.windows.Early;
import io.fluxmark.windows.EventFlux;
import io.fluxmark.windows.KeyCodec;
import io.fluxmark.windows.KeyedFlux;
import io.fluxmark.windows.LateEvent;
import io.fluxmark.windows.TimestampFunction;
import io.fluxmark.windows.WatermarkSpec;
import io.fluxmark.windows.WindowResult;
import io.fluxmark.windows.WindowSpec;
import io.fluxmark.windows.WindowedFlux;
import java.util.Objects;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
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
    private final Options<T, R> options;

    /** What is given by methods, not at first. */
    private record Options<T, R>(
            Scheduler clock,
            boolean lateOutput,
            @Nullable ToLongFunction<? super T> gap,
            @Nullable BinaryOperator<R> sum) {}

    private WindowedPipeline(
            TimestampFunction<? super T> time,
            WatermarkSpec watermarks,
            Function<? super T, ? extends K> key,
            WindowSpec windows,
            Aggregation<? super T, A, R> aggregation,
            Options<T, R> options) {
        this.time = Objects.requireNonNull(time, "time");
        this.watermarks = Objects.requireNonNull(watermarks, "watermarks");
        this.key = Objects.requireNonNull(key, "key");
        this.windows = Objects.requireNonNull(windows, "windows");
        this.aggregation = Objects.requireNonNull(aggregation, "aggregation");
        this.options = options;
    }

    /** A pipeline that drops what is past the allowed lateness, with the clock of {@link Schedulers#parallel()}. */
    public static <T, K, A, R> WindowedPipeline<T, K, A, R> of(
            TimestampFunction<? super T> time,
            WatermarkSpec watermarks,
            Function<? super T, ? extends K> key,
            WindowSpec windows,
            Aggregation<? super T, A, R> aggregation) {
        return new WindowedPipeline<>(
                time, watermarks, key, windows, aggregation, new Options<>(Schedulers.parallel(), false, null, null));
    }

    private WindowedPipeline<T, K, A, R> with(Options<T, R> changed) {
        return new WindowedPipeline<>(time, watermarks, key, windows, aggregation, changed);
    }

    /**
     * The clock of the guard against far-future timestamps (S36); stop it, or the two sides may read different times. The
     * clock of early results too: one of virtual time is moved on by a millisecond before each element.
     */
    public WindowedPipeline<T, K, A, R> clock(Scheduler clock) {
        Objects.requireNonNull(clock, "clock");
        return with(new Options<>(clock, options.lateOutput, options.gap, options.sum));
    }

    /** Sends what is past the allowed lateness to a late output, which is checked too. */
    public WindowedPipeline<T, K, A, R> withLateOutput() {
        return with(new Options<>(options.clock, true, options.gap, options.sum));
    }

    /** The gap of each event's own, ms, for sessions. */
    public WindowedPipeline<T, K, A, R> gap(ToLongFunction<? super T> gapMillis) {
        Objects.requireNonNull(gapMillis, "gapMillis");
        return with(new Options<>(options.clock, options.lateOutput, gapMillis, options.sum));
    }

    /**
     * How the results of a window that discards add up, so that the sum is held against plain batch too. Without it each
     * single result is, and where early results follow the clock nothing can be.
     */
    public WindowedPipeline<T, K, A, R> addingUp(BinaryOperator<R> sum) {
        Objects.requireNonNull(sum, "sum");
        return with(new Options<>(options.clock, options.lateOutput, options.gap, sum));
    }

    /** The pipeline as a user writes it, over events without event time yet. */
    public EventFlux<WindowResult<K, R>> apply(EventFlux<T> events, Consumer<? super LateEvent<T>> late) {
        WindowedFlux<K, T> windowed =
                windowed(events.watermarksMillis(time, watermarks).<K>keyBy(key));
        return (options.lateOutput ? windowed.lateTo(late) : windowed).aggregate(aggregation);
    }

    /** The same over a log: one lane for each partition. What is late is dropped, and counted. */
    EventFlux<WindowResult<K, R>> partitioned(LogSource<T> source) {
        return windowed(source.watermarksMillis(time, watermarks).<K>keyByRecordKey(key))
                .aggregate(aggregation);
    }

    /** Where a job of it keeps all that it emits. */
    ChangelogSink<K, R> changelog(StateStore store) {
        Codec<R> results = aggregation.resultCodec();
        if (results == null) {
            throw new IllegalArgumentException(
                    aggregation + " has no result codec, and a store needs one: give it one");
        }
        return TransactionalSink.changelog(store, "changes", KeyCodec.tagged(), results);
    }

    private WindowedFlux<K, T> windowed(KeyedFlux<K, T> keyed) {
        ToLongFunction<? super T> gap = options.gap;
        return gap == null ? keyed.window(windows) : keyed.window(windows, gap);
    }

    /** The same without a late output. */
    WindowedPipeline<T, K, A, R> dropping() {
        return with(new Options<>(options.clock, false, options.gap, options.sum));
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
        return options.clock;
    }

    boolean hasLateOutput() {
        return options.lateOutput;
    }

    @Nullable
    ToLongFunction<? super T> gap() {
        return options.gap;
    }

    @Nullable
    BinaryOperator<R> sum() {
        return options.sum;
    }

    /** Whether the clock has a part in what is emitted: then the emissions are not known, only what they come to. */
    boolean followsClock() {
        Early early = windows.early();
        return early != null && early.everyMillis() > 0;
    }

    @Override
    public String toString() {
        return windows + ", " + aggregation + ", out-of-orderness bound " + watermarks.delayMillis() + " ms"
                + (options.gap == null ? "" : ", gaps of the events' own")
                + (options.lateOutput ? ", late output" : "");
    }
}
