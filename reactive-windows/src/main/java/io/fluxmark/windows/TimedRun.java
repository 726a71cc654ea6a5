package io.fluxmark.windows;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A run that is made from another by giving its events their time. The values are the other run's own array as long as
 * each event stays what and where it was, and a copy from then on.
 */
final class TimedRun<T> {

    private final EventBatch<?> source;
    private final long[] timestamps;
    private final long[] before;
    private final byte @Nullable [] signs;
    private Object[] values;
    private int size;

    TimedRun(EventBatch<?> source) {
        this.source = source;
        this.values = source.values;
        this.timestamps = new long[source.size];
        this.before = new long[source.size];
        this.signs = source.signs == null ? null : new byte[source.size];
    }

    /** Adds {@code value}, which the event at {@code index} of the other run has become; indexes rise. */
    void add(int index, T value, long timestamp, long watermarkBefore) {
        if (values == source.values && (size != index || value != values[index])) {
            values = Arrays.copyOf(values, source.size);
        }
        if (values != source.values) {
            values[size] = value;
        }
        timestamps[size] = timestamp;
        before[size] = watermarkBefore;
        if (signs != null) {
            signs[size] = (byte) source.sign(index);
        }
        size++;
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
        return new EventBatch<>(values, size, timestamps, varies ? before : null, before[0], watermarkAfter, signs);
    }
}
