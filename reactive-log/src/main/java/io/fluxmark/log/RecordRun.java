package io.fluxmark.log;

import java.nio.ByteBuffer;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.Objects;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/**
 * Records of one partition that were read together, their offsets rising. They lie side by side in an array of the run's own; a
 * {@link LogRecord} with bytes of its own is made each time that one is {@linkplain #get got}, and none at all for who decodes them
 * {@linkplain #view where they lie}. Immutable.
 */
public final class RecordRun extends AbstractList<LogRecord> implements RandomAccess {

    /** So many numbers stand in {@link #places} for a record. */
    static final int PLACES = 4;

    private final int partition;
    private final byte[] bytes;

    /** Of each record where its key begins in the bytes and its length, and the same of its value; -1 for none. */
    private final int[] places;

    /** Offset and append time of the first record, and of each where they can't be told from that. */
    private final long firstOffset;

    private final long @Nullable [] offsets;
    private final long firstTime;
    private final long @Nullable [] times;

    /** Which of the records there they are. */
    private final int from;

    private final int size;

    RecordRun(
            int partition,
            byte[] bytes,
            int[] places,
            long firstOffset,
            long @Nullable [] offsets,
            long firstTime,
            long @Nullable [] times,
            int from,
            int size) {
        this.partition = partition;
        this.bytes = bytes;
        this.places = places;
        this.firstOffset = firstOffset;
        this.offsets = offsets;
        this.firstTime = firstTime;
        this.times = times;
        this.from = from;
        this.size = size;
    }

    /** The number of the partition in its topic. */
    public int partition() {
        return partition;
    }

    @Override
    public int size() {
        return size;
    }

    /** The record at that place, in bytes of its own. */
    @Override
    public LogRecord get(int index) {
        int place = place(index);
        ByteBuffer headers = ByteBuffer.wrap(bytes);
        headers.position(places[place + 2] + Math.max(0, places[place + 3]));
        return new LogRecord(
                partition,
                offset(index),
                appendTime(index),
                copy(places[place], places[place + 1]),
                copy(places[place + 2], places[place + 3]),
                new RecordParts(new ByteInput(headers)).headers(offset(index)));
    }

    private byte @Nullable [] copy(int start, int length) {
        return length < 0 ? null : Arrays.copyOfRange(bytes, start, start + length);
    }

    /** The record at that place, where it lies. */
    public RecordView view(int index) {
        int place = place(index);
        return new RecordView(this, index, bytes, places[place + 2], places[place + 3]);
    }

    /** {@link LogRecord#offset} of the record at that place. */
    public long offset(int index) {
        Objects.checkIndex(index, size);
        return offsets == null ? firstOffset + from + index : offsets[from + index];
    }

    /** {@link LogRecord#appendTime} of the record at that place. */
    public long appendTime(int index) {
        Objects.checkIndex(index, size);
        return times == null ? firstTime : times[from + index];
    }

    /** How many bytes key and value of the record at that place have together. */
    public long contentBytes(int index) {
        int place = place(index);
        return Math.max(0, places[place + 1]) + (long) Math.max(0, places[place + 3]);
    }

    private int place(int index) {
        return PLACES * (from + Objects.checkIndex(index, size));
    }

    /** A part of it; shares its bytes. */
    @Override
    public RecordRun subList(int start, int end) {
        Objects.checkFromToIndex(start, end, size);
        return new RecordRun(
                partition, bytes, places, firstOffset, offsets, firstTime, times, from + start, end - start);
    }
}
