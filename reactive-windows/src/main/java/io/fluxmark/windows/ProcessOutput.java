package io.fluxmark.windows;

import java.util.ArrayDeque;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a function has emitted, on its way out: collected into runs, in order. What one call emits may fill more than one;
 * nothing else is taken in before they are handed out. Confined to the lane.
 */
final class ProcessOutput<R> {

    private final ArrayDeque<EventBatch<R>> full = new ArrayDeque<>();
    private final EventBatchBuilder<R> run = EventBatch.builder();

    /** In a key group, what takes their place; null elsewhere. */
    private @Nullable OrderedOutput<R> ordered;

    /** What stages behind may be told: nothing at or before it is emitted any more, but what is late. */
    long closed = Watermark.NONE;

    /** Output is of one key group: {@code place} tells the place of each value. */
    void order(LongSupplier place) {
        ordered = new OrderedOutput<>(place);
    }

    /** What is emitted next is of a timer. */
    void dueAt(TimerKey<?> timer) {
        if (ordered != null) {
            ordered.dueAt(timer.time(), timer.time(), timer.time(), timer.key());
        }
    }

    /** Takes what goes to an output beside the stream, in a key group. */
    void aside(Object value) {
        Objects.requireNonNull(ordered, "ordered").add(new LaneItem.Aside(value), Watermark.NONE, closed, 1);
    }

    void add(R value, long timestamp, int sign) {
        if (ordered != null) {
            ordered.add(value, timestamp, closed, sign);
            return;
        }
        if (run.isFull()) {
            full.add(run.build(closed));
        }
        run.add(value, timestamp, closed, sign);
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
    StreamElement<R> take() {
        if (ordered != null) {
            return ordered.take();
        }
        EventBatch<R> first = full.poll();
        return first != null || run.size() == 0 ? first : run.build(closed);
    }
}
