package io.fluxmark.windows;

import java.util.ArrayDeque;
import java.util.Objects;
import java.util.function.LongSupplier;
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

    /** In a key group, what takes their place; null elsewhere. */
    private @Nullable OrderedOutput<WindowResult<K, R>> ordered;

    /** Whether the windows say themselves when what they emit was due. */
    private boolean saysDue;

    /** The watermark that events are judged by. */
    long watermark = Watermark.NONE;

    /** Whether silence moved it there. */
    boolean byTimeout;

    /** The watermark that may be told downstream: of the last advance that has fired all it closes. */
    long forwardable = Watermark.NONE;

    WindowResults(LiveCounters counters) {
        this.counters = counters;
    }

    /** Results are for one key group: {@code place} tells the place of each. */
    void order(LongSupplier place) {
        ordered = new OrderedOutput<>(place);
    }

    /** What is emitted next is due at {@code due}; where the windows do not say so, each is when the watermark closes it. */
    void dueAt(long due, long end, long start, K key) {
        OrderedOutput<WindowResult<K, R>> output = ordered;
        if (output != null) {
            output.dueAt(due, end, start, key);
            saysDue = true;
        }
    }

    /** Takes what goes to an output beside the stream, in a key group. */
    void aside(Object value) {
        OrderedOutput<WindowResult<K, R>> output = Objects.requireNonNull(ordered, "ordered");
        output.add(new LaneItem.Aside(value), Watermark.NONE, forwardable, 1);
    }

    /** Adds a result, whose time downstream is the end of its window (S46). */
    void emit(K key, TimeWindow window, R value, WindowResult.Kind kind, int revision, long late) {
        emit(key, window, value, kind, revision, late, window.maxTimestamp());
    }

    /** Adds a result that downstream has at {@code timestamp}. */
    void emit(K key, TimeWindow window, R value, WindowResult.Kind kind, int revision, long late, long timestamp) {
        int sign = kind == WindowResult.Kind.RETRACT ? -1 : 1;
        WindowResult<K, R> result = new WindowResult<>(key, window, value, kind, revision, late, watermark, byTimeout);
        counters.add(counter(kind), 1);
        OrderedOutput<WindowResult<K, R>> output = ordered;
        if (output != null) {
            if (!saysDue) {
                output.dueAt(Watermark.closing(window.end()), window.end(), window.start(), key);
            }
            output.add(result, timestamp, forwardable, sign);
            return;
        }
        if (run.isFull()) {
            full.add(run.build(forwardable));
        }
        run.add(result, timestamp, forwardable, sign);
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
        return ordered != null ? ordered.isFull() : run.isFull() || !full.isEmpty();
    }

    boolean isEmpty() {
        return ordered != null ? ordered.isEmpty() : run.size() == 0 && full.isEmpty();
    }

    /** The next run, or null. */
    @Nullable
    StreamElement<WindowResult<K, R>> take() {
        if (ordered != null) {
            return ordered.take();
        }
        EventBatch<WindowResult<K, R>> first = full.poll();
        return first != null || run.size() == 0 ? first : run.build(forwardable);
    }
}
