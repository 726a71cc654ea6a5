package io.fluxmark.windows;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Collects events into a run. Not thread-safe; after {@link #build} it is empty and may be used for the next run, whose
 * arrays are new.
 *
 * @param <T> the type of the values
 */
public final class EventBatchBuilder<T> {

    private static final int FIRST_CAPACITY = 16;

    private Object[] values = new Object[FIRST_CAPACITY];
    private long[] timestamps = new long[FIRST_CAPACITY];

    /** The watermark before the first event, and, once it is not the same before all, that before each. */
    private long firstBefore;

    private long @Nullable [] before;
    private byte @Nullable [] signs;
    private int size;

    EventBatchBuilder() {}

    /** The number of events collected. */
    public int size() {
        return size;
    }

    /** Whether the run is full: build it before adding more. */
    public boolean isFull() {
        return size == EventBatch.MAX_SIZE;
    }

    /** Adds an event with the watermark in force before it. */
    public EventBatchBuilder<T> add(T value, long timestamp, long watermarkBefore) {
        return add(value, timestamp, watermarkBefore, 1);
    }

    /**
     * Adds an event.
     *
     * @param sign +1, or -1 for a retraction
     */
    public EventBatchBuilder<T> add(T value, long timestamp, long watermarkBefore, int sign) {
        if (size == values.length) {
            grow();
        }
        values[size] = Objects.requireNonNull(value, "value");
        timestamps[size] = timestamp;
        if (size == 0) {
            firstBefore = watermarkBefore;
        } else if (before == null && watermarkBefore != firstBefore) {
            before = new long[values.length];
            Arrays.fill(before, 0, size, firstBefore);
        }
        if (before != null) {
            before[size] = watermarkBefore;
        }
        if (sign < 0 && signs == null) {
            signs = new byte[values.length];
            Arrays.fill(signs, (byte) 1);
        }
        if (signs != null) {
            signs[size] = (byte) sign;
        }
        size++;
        return this;
    }

    private void grow() {
        if (isFull()) {
            throw new IllegalStateException("a run holds at most " + EventBatch.MAX_SIZE + " events");
        }
        int capacity = Math.min(EventBatch.MAX_SIZE, size * 4);
        values = Arrays.copyOf(values, capacity);
        timestamps = Arrays.copyOf(timestamps, capacity);
        before = before == null ? null : Arrays.copyOf(before, capacity);
        if (signs != null) {
            byte[] grown = Arrays.copyOf(signs, capacity);
            Arrays.fill(grown, size, capacity, (byte) 1);
            signs = grown;
        }
    }

    /** The run, with the watermark in force after its last event. Throws when no event was added. */
    public EventBatch<T> build(long watermarkAfter) {
        if (size == 0) {
            throw new IllegalStateException("a run holds at least one event");
        }
        EventBatch<T> batch = new EventBatch<>(values, size, timestamps, before, firstBefore, watermarkAfter, signs);
        int capacity = size <= FIRST_CAPACITY ? FIRST_CAPACITY : EventBatch.MAX_SIZE;
        values = new Object[capacity];
        timestamps = new long[capacity];
        before = null;
        signs = null;
        size = 0;
        return batch;
    }

    /** Forgets what was added. */
    void clear() {
        Arrays.fill(values, 0, size, null);
        before = null;
        signs = null;
        size = 0;
    }
}
