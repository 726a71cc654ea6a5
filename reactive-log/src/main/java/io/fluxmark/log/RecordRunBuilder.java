package io.fluxmark.log;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Gathers a run from the batches that it lies in, copying what it takes of each at once. Not thread-safe; good for one run. */
final class RecordRunBuilder {

    /** A run of so many bytes is not continued. */
    private static final int FULL_BYTES = 1 << 20;

    private final int partition;
    private final int maxSize;
    private int size;
    private byte[] bytes = new byte[0];
    private int used;
    private int[] places = new int[0];
    private long firstOffset;
    private long @Nullable [] offsets;
    private long firstTime;
    private long @Nullable [] times;

    /** Where what is taken of the current batch begins and ends in it; it is added to {@link #bytes} when that is complete. */
    private int pieceStart = -1;

    private int pieceEnd;

    /** @param maxSize at least 1 */
    RecordRunBuilder(int partition, int maxSize) {
        this.partition = partition;
        this.maxSize = maxSize;
    }

    boolean isEmpty() {
        return size == 0;
    }

    boolean isFull() {
        return size == maxSize || used + (pieceStart < 0 ? 0 : pieceEnd - pieceStart) >= FULL_BYTES;
    }

    /** Records of another batch follow, at most so many. */
    void beginPiece(int records) {
        int capacity = RecordRun.PLACES * (int) Math.min(maxSize, (long) size + records);
        if (places.length < capacity) {
            places = Arrays.copyOf(places, capacity);
        }
    }

    /**
     * Adds a record of the batch.
     *
     * @param keyStart where its key begins in the batch's bytes, or would
     * @param keyLength -1 for none
     * @param valueStart the same of its value
     * @param valueLength -1 for none
     * @param end where it ends
     */
    void add(long offset, long time, int keyStart, int keyLength, int valueStart, int valueLength, int end) {
        if (pieceStart < 0) {
            pieceStart = keyStart;
        }
        int moved = used - pieceStart;
        int place = RecordRun.PLACES * size;
        places[place] = keyStart + moved;
        places[place + 1] = keyLength;
        places[place + 2] = valueStart + moved;
        places[place + 3] = valueLength;
        pieceEnd = end;
        if (size == 0) {
            firstOffset = offset;
            firstTime = time;
        }
        if (offsets != null || offset != firstOffset + size) {
            addOffset(offset);
        }
        if (times != null || time != firstTime) {
            addTime(time);
        }
        size++;
    }

    private int capacity() {
        return places.length / RecordRun.PLACES;
    }

    private void addOffset(long offset) {
        long[] all = offsets;
        if (all == null) {
            all = new long[capacity()];
            for (int i = 0; i < size; i++) {
                all[i] = firstOffset + i;
            }
        }
        all = all.length > size ? all : Arrays.copyOf(all, capacity());
        all[size] = offset;
        offsets = all;
    }

    private void addTime(long time) {
        long[] all = times;
        if (all == null) {
            all = new long[capacity()];
            Arrays.fill(all, 0, size, firstTime);
        }
        all = all.length > size ? all : Arrays.copyOf(all, capacity());
        all[size] = time;
        times = all;
    }

    /** The records of a batch are added. */
    void endPiece(byte[] batch) {
        if (pieceStart < 0) {
            return;
        }
        int length = pieceEnd - pieceStart;
        if (used == 0) {
            bytes = Arrays.copyOfRange(batch, pieceStart, pieceEnd);
        } else {
            if (bytes.length < used + length) {
                bytes = Arrays.copyOf(bytes, Math.max(used + length, 2 * used));
            }
            System.arraycopy(batch, pieceStart, bytes, used, length);
        }
        used += length;
        pieceStart = -1;
    }

    /** The run; of none, null. */
    @Nullable
    RecordRun build() {
        return size == 0
                ? null
                : new RecordRun(partition, bytes, places, firstOffset, offsets, firstTime, times, 0, size);
    }
}
