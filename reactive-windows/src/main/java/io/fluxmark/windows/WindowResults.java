package io.fluxmark.windows;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The results of one windowed operator on their way out: collected into runs, in order. What one event brings forth may
 * fill more than one; nothing else is taken in before they are handed out, so no more than that is ever held. Confined to
 * the lane.
 */
final class WindowResults<K, R> {

    private final LiveCounters counters;
    private final ArrayDeque<EventBatch<WindowResult<K, R>>> full = new ArrayDeque<>();
    private final EventBatchBuilder<WindowResult<K, R>> run = EventBatch.builder();

    /** The watermark that events are judged by. */
    long watermark = Watermark.NONE;

    /** Whether silence moved it there. */
    boolean byTimeout;

    /** The watermark that may be told downstream: of the last advance that has fired all it closes. */
    long forwardable = Watermark.NONE;

    WindowResults(LiveCounters counters) {
        this.counters = counters;
    }

    /** Adds a result, whose time downstream is the end of its window (S46). */
    void emit(K key, TimeWindow window, R value, WindowResult.Kind kind, int revision, long late) {
        emit(key, window, value, kind, revision, late, window.maxTimestamp());
    }

    /** Adds a result that downstream has at {@code timestamp}. */
    void emit(K key, TimeWindow window, R value, WindowResult.Kind kind, int revision, long late, long timestamp) {
        if (run.isFull()) {
            full.add(run.build(forwardable));
        }
        int sign = kind == WindowResult.Kind.RETRACT ? -1 : 1;
        run.add(
                new WindowResult<>(key, window, value, kind, revision, late, watermark, byTimeout),
                timestamp,
                forwardable,
                sign);
        counters.add(counter(kind), 1);
    }

    private static Counter counter(WindowResult.Kind kind) {
        return switch (kind) {
            case EARLY -> Counter.FIRES_EARLY;
            case ON_TIME -> Counter.FIRES_ON_TIME;
            case LATE -> Counter.FIRES_LATE;
            case RETRACT -> Counter.RETRACTIONS;
        };
    }

    /** Whether a run is full: hand it out before going on. */
    boolean isFull() {
        return run.isFull() || !full.isEmpty();
    }

    boolean isEmpty() {
        return run.size() == 0 && full.isEmpty();
    }

    /** The next run, or null. */
    @Nullable
    EventBatch<WindowResult<K, R>> take() {
        EventBatch<WindowResult<K, R>> first = full.poll();
        return first != null || run.size() == 0 ? first : run.build(forwardable);
    }
}
