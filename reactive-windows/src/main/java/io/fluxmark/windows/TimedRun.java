package io.fluxmark.windows;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A run that is made from another by giving its events their time. The values are the other run's own array as long as
 * each event stays what and where it was, and a copy from then on.
 */
final class TimedRun<T> {

    private final EventBatch<?> source;

    /** The other run's own; null where it has none yet. */
    private final Object @Nullable [] given;

    private final long[] timestamps;
    private final long[] before;
    private final byte @Nullable [] signs;
    private Object[] values;
    private int size;

    /** Which events of the other run were added, once that has to be known: when one was not, and they have offsets. */
    private int @Nullable [] added;

    TimedRun(EventBatch<?> source) {
        this.source = source;
        this.given = source.unread() == null ? source.values() : null;
        this.values = given == null ? new Object[source.size] : given;
        this.timestamps = new long[source.size];
        this.before = new long[source.size];
        this.signs = source.signs == null ? null : new byte[source.size];
    }

    /** Adds {@code value}, which the event at {@code index} of the other run has become; indexes rise. */
    void add(int index, T value, long timestamp, long watermarkBefore) {
        if (values == given && (size != index || value != values[index])) {
            values = Arrays.copyOf(values, source.size);
        }
        if (values != given) {
            values[size] = value;
        }
        if (source.offsets != null && size != index) {
            addedAt(index);
        }
        timestamps[size] = timestamp;
        before[size] = watermarkBefore;
        if (signs != null) {
            signs[size] = (byte) source.sign(index);
        }
        size++;
    }

    private void addedAt(int index) {
        int[] indexes = added;
        if (indexes == null) {
            indexes = new int[source.size];
            Arrays.setAll(indexes, i -> i);
            added = indexes;
        }
        indexes[size] = index;
    }

    private @Nullable RunOffsets offsets() {
        RunOffsets all = source.offsets;
        if (all == null || size == source.size) {
            return all;
        }
        int[] indexes = added;
        // Without gaps it is the last events that were not added.
        return indexes == null ? all : all.pick(indexes, size);
    }

    void showTimestamps(UnitCheck units) {
        for (int i = 0; i < size && units.isOpen(); i++) {
            units.see(timestamps[i]);
        }
    }

    /** The run, or only the watermark after it when it is empty. */
    StreamElement<T> build(long watermarkAfter) {
        if (size == 0) {
            return new Watermark<>(watermarkAfter);
        }
        boolean varies = before[size - 1] != before[0]; // a watermark only rises
        return new EventBatch<>(
                values, size, timestamps, varies ? before : null, before[0], watermarkAfter, signs, offsets());
    }
}
