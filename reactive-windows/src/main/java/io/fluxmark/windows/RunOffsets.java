package io.fluxmark.windows;

import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Where the events of a run stand in one partition of their source; immutable.
 *
 * @param each the offset of each, never falling; null where they follow each other from {@code first} on
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record RunOffsets(String source, int partition, long first, long @Nullable [] each) {

    /** Of {@code size} events, at least one, whose offsets rise. */
    static RunOffsets of(String source, int partition, int size, IntToLongFunction offset) {
        long first = offset.applyAsLong(0);
        if (offset.applyAsLong(size - 1) - first == size - 1) {
            return new RunOffsets(source, partition, first, null);
        }
        long[] each = new long[size];
        for (int i = 0; i < size; i++) {
            each[i] = offset.applyAsLong(i);
        }
        return new RunOffsets(source, partition, first, each);
    }

    EventPosition get(int i) {
        return new EventPosition(source, partition, offset(i));
    }

    private long offset(int i) {
        return each == null ? first + i : each[i];
    }

    /** Those of the events at the first {@code size} of {@code indexes}, which rise. */
    RunOffsets pick(int[] indexes, int size) {
        // Of several events with one offset it can't be seen from the ends whether they follow each other.
        return each == null ? of(source, partition, size, i -> offset(indexes[i])) : spread(indexes, size);
    }

    /** The same, where some of the indexes may be equal. */
    RunOffsets spread(int[] indexes, int size) {
        long[] spread = new long[size];
        for (int i = 0; i < size; i++) {
            spread[i] = offset(indexes[i]);
        }
        return new RunOffsets(source, partition, spread[0], spread);
    }
}
