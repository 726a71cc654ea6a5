package io.fluxmark.windows;

import java.util.List;
import java.util.Objects;

/**
 * How a window that lives in the state of its key emits, and emits again: revisions, retractions, and what of its
 * accumulator a value is made of.
 *
 * <p>Windows without early results emit every change once they have fired, so that the accumulator before a change tells
 * what was emitted. Where results come early, changes wait, and what was emitted is kept in {@link LiveWindow#emitted}.
 *
 * <p>A window that grows has other bounds, and is another window to its receiver: every emission within the old bounds is
 * taken back, the oldest first, before the new one comes (S18). An {@link Accumulation#ACCUMULATE accumulating} session
 * leaves the results of its old bounds where they are, and a {@link Accumulation#DISCARD discarding} one emits only what
 * has come since it fired last.
 */
final class KeyedEmission<K, A, R> {

    private final Accumulation accumulation;
    private final boolean finalMarker;
    private final boolean keepsEmitted;
    private final boolean hasEnd;
    private final Aggregation<?, A, R> aggregation;
    private final LiveCounters counters;
    private final WindowResults<K, R> results;

    KeyedEmission(
            WindowSpec windows, Aggregation<?, A, R> aggregation, LiveCounters counters, WindowResults<K, R> results) {
        this.accumulation = windows.accumulation();
        this.finalMarker = windows.hasFinalMarker();
        this.keepsEmitted = windows.early() != null;
        this.hasEnd = windows.kind() == WindowSpec.Kind.SESSION;
        this.aggregation = aggregation;
        this.counters = counters;
        this.results = results;
    }

    /** Whether {@link #onTime} changes the window, which has to be written then. */
    boolean changesOnTime() {
        return keepsEmitted;
    }

    /** Whether the events of a window that has fired are in its next value too. */
    boolean accumulates() {
        return accumulation != Accumulation.DISCARD;
    }

    /** The value so far of an open window. */
    void early(K key, LiveWindow<A> window) {
        change(key, window, WindowResult.Kind.EARLY, window.emitted);
    }

    /** The value of a window that closes. */
    void onTime(K key, LiveWindow<A> window) {
        if (keepsEmitted) {
            change(key, window, WindowResult.Kind.ON_TIME, window.emitted);
        } else {
            emit(key, window, value(window), WindowResult.Kind.ON_TIME, revision(window));
        }
    }

    /** The value of a window that has closed before, where the receiver holds {@code before}. */
    void late(K key, LiveWindow<A> window, List<Emitted> before) {
        change(key, window, WindowResult.Kind.LATE, before);
    }

    /** What the receiver holds of a window that has fired. */
    List<Emitted> held(LiveWindow<A> fired) {
        if (keepsEmitted || accumulation == Accumulation.DISCARD) {
            return fired.emitted;
        }
        return List.of(emitted(fired, value(fired), revision(fired), timestamp(fired)));
    }

    /** The revision of the newest emission of a window that has fired, which is not written for every firing. */
    int revision(LiveWindow<A> fired) {
        return Math.max(0, fired.revision);
    }

    private void change(K key, LiveWindow<A> window, WindowResult.Kind kind, List<Emitted> before) {
        R value = value(window);
        boolean marked = kind == WindowResult.Kind.ON_TIME && (finalMarker || accumulation != Accumulation.RETRACT);
        if (accumulates() && !marked && before.size() == 1 && before.get(0).shows(window, value)) {
            if (kind == WindowResult.Kind.LATE) {
                counters.add(Counter.UNCHANGED, 1);
            }
            window.emitted = keepsEmitted ? List.of(before.get(0).withLate(window.late)) : List.of();
            return;
        }
        takeBack(key, before);
        window.revision++;
        long timestamp = emit(key, window, value, kind, window.revision);
        if (!keepsEmitted) {
            return;
        }
        if (accumulates()) {
            window.emitted = List.of(emitted(window, value, window.revision, timestamp));
        } else {
            window.accumulator = aggregation.create();
        }
    }

    private Emitted emitted(LiveWindow<A> window, R value, int revision, long timestamp) {
        return new Emitted(window.start, window.end, timestamp, revision, window.late, value);
    }

    /** Takes back what the receiver holds, unless it is to keep it. */
    void takeBack(K key, List<Emitted> emitted) {
        if (accumulation != Accumulation.RETRACT) {
            return;
        }
        for (Emitted each : emitted) {
            @SuppressWarnings("unchecked") // made of a result, above, or decoded by the codec of the results
            R value = (R) each.value();
            results.emit(
                    key,
                    new TimeWindow(each.start(), each.end()),
                    value,
                    WindowResult.Kind.RETRACT,
                    each.revision(),
                    each.late(),
                    each.timestamp());
        }
    }

    private long emit(K key, LiveWindow<A> window, R value, WindowResult.Kind kind, int revision) {
        long timestamp = timestamp(window);
        results.emit(key, new TimeWindow(window.start, window.end), value, kind, revision, window.late, timestamp);
        return timestamp;
    }

    /**
     * The time of a result downstream: the last instant of its window (S46). A window that events or the end of the stream
     * close, and not the watermark, has none that is ahead of it: the largest timestamp in it, or the next after the
     * watermark that was told.
     */
    private long timestamp(LiveWindow<A> window) {
        return hasEnd ? window.end - 1 : Math.max(window.last, results.forwardable + 1);
    }

    private R value(LiveWindow<A> window) {
        return Objects.requireNonNull(aggregation.result(window.accumulator()), "the aggregation's result");
    }
}
