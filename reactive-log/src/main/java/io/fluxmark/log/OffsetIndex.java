package io.fluxmark.log;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Where batches begin in one segment, one entry for every 4 KiB or more. Written by the writer thread, read by any: an entry
 * may point behind what readers may see yet, which a search for a visible offset never returns.
 */
final class OffsetIndex {

    private static final int SPACING_BYTES = 4096;

    private long[] offsets = new long[16];
    private long[] positions = new long[16];
    private int size;

    /** Notes a batch unless the last entry is near. Offsets and positions rise. */
    synchronized void add(long baseOffset, long position) {
        if (size > 0 && position - positions[size - 1] < SPACING_BYTES) {
            return;
        }
        if (size == offsets.length) {
            offsets = Arrays.copyOf(offsets, 2 * size);
            positions = Arrays.copyOf(positions, 2 * size);
        }
        offsets[size] = baseOffset;
        positions[size] = position;
        size++;
    }

    /** Forgets batches at or after a position. */
    synchronized void cutTo(long position) {
        while (size > 0 && positions[size - 1] >= position) {
            size--;
        }
    }

    /** The last noted batch that begins at or before the offset, or null. */
    synchronized @Nullable BatchPosition floor(long offset) {
        int i = Arrays.binarySearch(offsets, 0, size, offset);
        if (i < 0) {
            i = -i - 2;
        }
        return i < 0 ? null : new BatchPosition(offsets[i], positions[i]);
    }
}
