package io.fluxmark.windows;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * What a function has emitted, on its way out: collected into runs, in order. What one call emits may fill more than one;
 * nothing else is taken in before they are handed out. Confined to the lane.
 */
final class ProcessOutput<R> {

    private final ArrayDeque<EventBatch<R>> full = new ArrayDeque<>();
    private final EventBatchBuilder<R> run = EventBatch.builder();

    /** What stages behind may be told: nothing at or before it is emitted any more, but what is late. */
    long closed = Watermark.NONE;

    void add(R value, long timestamp, int sign) {
        if (run.isFull()) {
            full.add(run.build(closed));
        }
        run.add(value, timestamp, closed, sign);
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
    EventBatch<R> take() {
        EventBatch<R> first = full.poll();
        return first != null || run.size() == 0 ? first : run.build(closed);
    }
}
