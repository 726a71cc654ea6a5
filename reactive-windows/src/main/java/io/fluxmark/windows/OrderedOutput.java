package io.fluxmark.windows;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What an operator emits for one key group, collected into runs with the place of each. Confined to the lane.
 *
 * @param <R> the values
 */
final class OrderedOutput<R> {

    private final ArrayDeque<LaneOutput<R>> full = new ArrayDeque<>();
    private final LongSupplier place;
    private List<LaneItem> run = new ArrayList<>();
    private long due;
    private long end;
    private long start;
    private @Nullable Object key;

    /** @param place tells the place of what is emitted at the moment */
    OrderedOutput(LongSupplier place) {
        this.place = place;
    }

    /** What is added from here on is due at one watermark, for one window and key. */
    void dueAt(long watermark, long windowEnd, long windowStart, Object ofKey) {
        due = watermark;
        end = windowEnd;
        start = windowStart;
        key = ofKey;
    }

    void add(Object value, long timestamp, long before, int sign) {
        if (isRunFull()) {
            full.add(build());
        }
        run.add(new LaneItem(value, timestamp, before, sign, place.getAsLong(), due, end, start, key));
    }

    private boolean isRunFull() {
        return run.size() == EventBatch.MAX_SIZE;
    }

    private LaneOutput<R> build() {
        LaneOutput<R> built = new LaneOutput<>(run);
        run = new ArrayList<>();
        return built;
    }

    boolean isFull() {
        return isRunFull() || !full.isEmpty();
    }

    boolean isEmpty() {
        return run.isEmpty() && full.isEmpty();
    }

    /** The next run, or null. */
    @Nullable
    LaneOutput<R> take() {
        LaneOutput<R> first = full.poll();
        return first != null || run.isEmpty() ? first : build();
    }
}
