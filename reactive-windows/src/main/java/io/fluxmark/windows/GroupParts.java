package io.fluxmark.windows;

import java.util.Arrays;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Collects what one key group gets of a stretch. Confined to who splits.
 *
 * @param <T> the events
 */
final class GroupParts<T> {

    private static final int FIRST_CAPACITY = 16;

    private final EventBatchBuilder<T> events = EventBatch.builder();
    private int[] indexes = new int[FIRST_CAPACITY];
    private long[] offsets = new long[0];
    private long last;

    boolean isFull() {
        return events.isFull();
    }

    boolean isEmpty() {
        return events.size() == 0;
    }

    /** Adds event {@code i} of {@code run}, which is event {@code index} of the stretch. */
    void add(EventBatch<T> run, int i, int index) {
        int size = events.size();
        if (size == indexes.length) {
            indexes = Arrays.copyOf(indexes, Math.min(EventBatch.MAX_SIZE, 4 * size));
        }
        indexes[size] = index;
        EventPosition position = run.position(i);
        if (position != null) {
            if (offsets.length == 0) {
                offsets = new long[EventBatch.MAX_SIZE];
            }
            offsets[size] = position.offset();
        }
        last = run.watermarkBefore(i);
        events.add(run.value(i), run.timestamp(i), last, run.sign(i));
    }

    /**
     * The group's part.
     *
     * @param source where all events of the stretch stand; null where that isn't known
     */
    LanePart<T> build(Stretch stretch, @Nullable RunOffsets source) {
        if (isEmpty()) {
            return LanePart.empty(stretch, null);
        }
        EventBatch<T> batch = events.build(last);
        if (source != null) {
            batch = batch.withOffsets(
                    RunOffsets.of(source.source(), source.partition(), batch.size(), i -> offsets[i]));
        }
        int[] of = Arrays.copyOf(indexes, batch.size());
        return LanePart.of(stretch, batch, of);
    }

    /** Lets go of what was added. */
    Stream<?> drop() {
        return isEmpty() ? Stream.empty() : EventBatch.contents(events.build(last));
    }
}
