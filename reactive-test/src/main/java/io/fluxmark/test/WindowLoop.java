package io.fluxmark.test;

import io.fluxmark.windows.Accumulation;
import io.fluxmark.windows.Aggregation;
import io.fluxmark.windows.Counter;
import io.fluxmark.windows.Early;
import io.fluxmark.windows.KeyCodec;
import io.fluxmark.windows.LateEvent;
import io.fluxmark.windows.TimeWindow;
import io.fluxmark.windows.WindowResult;
import io.fluxmark.windows.WindowResult.Kind;
import io.fluxmark.windows.WindowSpec;
import java.util.Comparator;
import java.util.List;

/**
 * What windows have to do with events and with progress, by plain loops over everything there has been: the rules are
 * written out here once more, so that they share nothing with the operators.
 */
abstract class WindowLoop<T, K, A, R> {

    final WindowedPipeline<T, K, A, R> pipeline;
    final WindowSpec windows;
    final Expectation<T, K, R> expectation;

    /** No further event with a timestamp at or before this is expected. */
    long watermark = Long.MIN_VALUE;

    WindowLoop(WindowedPipeline<T, K, A, R> pipeline, Expectation<T, K, R> expectation) {
        this.pipeline = pipeline;
        this.windows = pipeline.windows();
        this.expectation = expectation;
    }

    static <T, K, A, R> WindowLoop<T, K, A, R> of(
            WindowedPipeline<T, K, A, R> pipeline, Expectation<T, K, R> expectation) {
        WindowSpec windows = pipeline.windows();
        if (windows.ceiling() != null || (windows.timeToLiveMillis() > 0 && !windows.hasFixedWindows())) {
            throw new IllegalArgumentException(
                    "plain batch keeps everything until its window ends: leave the ceiling and"
                            + " the time-to-live out of " + windows);
        }
        return switch (windows.kind()) {
            case TUMBLING, SLIDING, CALENDAR -> new FixedLoop<>(pipeline, expectation);
            case SESSION -> new SessionLoop<>(pipeline, expectation);
            case COUNT, GLOBAL -> new EndlessLoop<>(pipeline, expectation);
        };
    }

    /** Judges an event by the watermark and takes it in. */
    abstract void add(T event, long timestamp);

    /** Emits what the watermark closes. */
    abstract void fire();

    final void advance(long to) {
        if (to > watermark) {
            watermark = to;
            fire();
        }
    }

    /** A window fires when the watermark has come to its last instant (S03). */
    final boolean closes(TimeWindow window) {
        return watermark >= window.end() - 1;
    }

    final K key(T event) {
        return pipeline.key().apply(event);
    }

    final void reject(T event, long timestamp, List<TimeWindow> missed) {
        expectation.count(Counter.LATE_ASSIGNMENTS, missed.size());
        expectation.count(pipeline.hasLateOutput() ? Counter.SIDE : Counter.DROPPED, 1);
        expectation.late(new LateEvent<>(event, timestamp, watermark, missed));
    }

    /** Whether the pane, still open, shows what is in it because its events have grown from {@code before}. */
    final boolean isDueEarly(PlainPane<T, K, R> pane, int before) {
        Early early = windows.early();
        return early != null
                && early.everyCount() > 0
                && pane.events.size() / early.everyCount() > before / early.everyCount();
    }

    private R value(List<T> events) {
        Aggregation<? super T, A, R> aggregation = pipeline.aggregation();
        A accumulator = aggregation.create();
        for (T event : events) {
            accumulator = aggregation.add(accumulator, event);
        }
        return aggregation.result(accumulator);
    }

    /** Emits what the pane holds (S15, S40). */
    final void emit(PlainPane<T, K, R> pane, Kind kind) {
        Accumulation mode = windows.accumulation();
        boolean discards = mode == Accumulation.DISCARD;
        R value = value(discards ? pane.untold : pane.events);
        boolean marked = kind == Kind.ON_TIME && (windows.hasFinalMarker() || mode == Accumulation.ACCUMULATE);
        if (!discards && !marked && pane.shows(value)) {
            expectation.count(Counter.UNCHANGED, kind == Kind.LATE ? 1 : 0);
            pane.held = List.of(result(pane, value, pane.held.get(0).kind()));
            return;
        }
        takeBack(pane.held);
        pane.revision++;
        pane.untold.clear();
        WindowResult<K, R> result = result(pane, value, kind);
        pane.held = List.of(result);
        expectation.emit(result);
    }

    private WindowResult<K, R> result(PlainPane<T, K, R> pane, R value, Kind kind) {
        return new WindowResult<>(pane.key, pane.window, value, kind, pane.revision, pane.late, watermark);
    }

    /** Takes emissions back, in the mode that does. */
    final void takeBack(List<WindowResult<K, R>> held) {
        if (windows.accumulation() == Accumulation.RETRACT) {
            held.forEach(each -> expectation.emit(new WindowResult<>(
                    each.key(), each.window(), each.value(), Kind.RETRACT, each.revision(), each.late(), watermark)));
        }
    }

    /** Orders windows that fire together: by end, start and key (S33). */
    final Comparator<PlainPane<T, K, R>> inOrder() {
        Comparator<K> keys = KeyCodec.<K>tagged().order();
        return Comparator.<PlainPane<T, K, R>, TimeWindow>comparing(pane -> pane.window)
                .thenComparing(pane -> pane.key, keys);
    }
}
