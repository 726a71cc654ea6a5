package io.fluxmark.windows;

import org.jspecify.annotations.Nullable;

/**
 * What one key group gets of a stretch: its events, if it has any. The operator works through the stretch and hands the part on
 * when it is through, behind all that it has emitted.
 *
 * @param <T> the events
 */
final class LanePart<T> implements StreamElement<T> {

    private static final int[] NONE = {};

    final Stretch stretch;
    final @Nullable EventBatch<T> events;

    /** Which events of the stretch they are, rising. */
    private final int[] indexes;

    /** The group's share of the barrier that the stretch is, if it is one. */
    final @Nullable CheckpointBarrier<T> barrier;

    private LanePart(
            Stretch stretch, @Nullable EventBatch<T> events, int[] indexes, @Nullable CheckpointBarrier<T> barrier) {
        this.stretch = stretch;
        this.events = events;
        this.indexes = indexes;
        this.barrier = barrier;
    }

    static <T> LanePart<T> of(Stretch stretch, EventBatch<T> events, int[] indexes) {
        return new LanePart<>(stretch, events, indexes, null);
    }

    static <T> LanePart<T> empty(Stretch stretch, @Nullable CheckpointBarrier<T> barrier) {
        return new LanePart<>(stretch, null, NONE, barrier);
    }

    /** Which event of the stretch the group's event {@code i} is. */
    int index(int i) {
        return indexes[i];
    }

    /** The place of what the group's event {@code i} causes. */
    long placeOf(int i) {
        return stretch.placeOf(indexes[i]);
    }

    @Override
    public String toString() {
        return "LanePart[" + (events == null ? "" : events) + " until " + stretch.after + "]";
    }
}
