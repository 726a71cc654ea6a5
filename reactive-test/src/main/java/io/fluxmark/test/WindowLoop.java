package io.fluxmark.test;

import io.fluxmark.windows.Accumulation;
import io.fluxmark.windows.Aggregation;
import io.fluxmark.windows.Counter;
import io.fluxmark.windows.Early;
import io.fluxmark.windows.LateEvent;
import io.fluxmark.windows.TimeWindow;
import io.fluxmark.windows.WindowResult;
import io.fluxmark.windows.WindowResult.Kind;
import io.fluxmark.windows.WindowSpec;
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
        if (windows.ceiling() != null) {
            throw new IllegalArgumentException("plain batch knows no ceilings, but was given " + windows);
        }
        return switch (windows.kind()) {
            case TUMBLING, SLIDING, CALENDAR -> new FixedLoop<>(pipeline, expectation);
            case SESSION, COUNT, GLOBAL ->
                throw new IllegalArgumentException(windows + " windows have no plain loop yet");
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

    /** Whether the pane, still open, shows what is in it because of the event that it has just taken. */
    final boolean isDueEarly(PlainPane<T, K, R> pane) {
        Early early = windows.early();
        return early != null && early.everyCount() > 0 && pane.events.size() % early.everyCount() == 0;
    }

    final R value(List<T> events) {
        Aggregation<? super T, A, R> aggregation = pipeline.aggregation();
        A accumulator = aggregation.create();
        for (T event : events) {
            accumulator = aggregation.add(accumulator, event);
        }
        return aggregation.result(accumulator);
    }

    /**
     * Emits what the pane holds (S15, S40).
     *
     * @param lateBefore how many late events were in what the pane has emitted before
     */
    final void emit(PlainPane<T, K, R> pane, Kind kind, long lateBefore) {
        Accumulation mode = windows.accumulation();
        boolean discards = mode == Accumulation.DISCARD;
        R value = value(pane.events.subList(discards ? pane.told : 0, pane.events.size()));
        boolean marked = kind == Kind.ON_TIME && (windows.hasFinalMarker() || mode == Accumulation.ACCUMULATE);
        if (!discards && !marked && value.equals(pane.live)) {
            expectation.count(Counter.UNCHANGED, kind == Kind.LATE ? 1 : 0);
            return;
        }
        if (mode == Accumulation.RETRACT) {
            retract(pane, lateBefore);
        }
        pane.live = value;
        pane.told = pane.events.size();
        pane.revision++;
        emit(pane, value, kind, pane.late);
    }

    /** Takes the last emission back, if there is one. */
    final void retract(PlainPane<T, K, R> pane, long lateBefore) {
        R live = pane.live;
        if (live != null) {
            emit(pane, live, Kind.RETRACT, lateBefore);
            pane.live = null;
        }
    }

    private void emit(PlainPane<T, K, R> pane, R value, Kind kind, long late) {
        expectation.emit(
                new WindowResult<>(pane.slot.key(), pane.slot.window(), value, kind, pane.revision, late, watermark));
    }
}
