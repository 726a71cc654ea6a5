package io.fluxmark.log;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Where batches begin in one segment, and how far append times had come by then: one entry for every 4 KiB or more. Written by the
 * writer thread, read by any: an entry may point behind what readers may see yet, which a search for a visible offset never
 * returns.
 *
 * <p>In files as Apache Kafka has them, big-endian:
 *
 * <pre>
 * BASE.index      int32 offset - base, int32 position      where the batch with that first offset begins
 * BASE.timeindex  int64 timestamp, int32 offset - base     no record up to that offset has a greater timestamp
 * </pre>
 *
 * <p>Both rise in both numbers. Offset entries name the first record of a batch (Kafka's own the last one): a search for the last
 * entry at or below an offset is right with either.
 */
final class SegmentIndex {

    /** At least so far apart are two noted batches; whoever finds more between two knows that entries are missing. */
    static final int SPACING_BYTES = 4096;

    /** The append time of nothing. */
    static final long NO_TIME = Long.MIN_VALUE;

    private static final int OFFSET_ENTRY = Integer.BYTES + Integer.BYTES;
    private static final int TIME_ENTRY = Long.BYTES + Integer.BYTES;

    private final long baseOffset;
    private final LongPairs positions = new LongPairs();
    private final LongPairs times = new LongPairs();
    private long newest = NO_TIME;

    SegmentIndex(long baseOffset) {
        this.baseOffset = baseOffset;
    }

    /**
     * Notes a batch unless the last entry is near. Offsets and positions rise.
     *
     * @param timestamp the greatest in the batch, epoch ms
     */
    synchronized void add(long firstOffset, long lastOffset, long position, long timestamp) {
        newest = Math.max(newest, timestamp);
        if (positions.size() > 0 && position - positions.lastSecond() < SPACING_BYTES) {
            return;
        }
        positions.add(firstOffset, position);
        addTime(lastOffset);
    }

    /** Notes how far append times have come at the end of the segment; to be called before the files are written. */
    synchronized void finish(long lastOffset) {
        if (positions.size() > 0) {
            addTime(lastOffset);
        }
    }

    /** Forgets batches at or after a position. What is kept may say later times than are left: too late is safe. */
    synchronized void cutTo(long position) {
        while (positions.size() > 0 && positions.lastSecond() >= position) {
            long cut = positions.lastFirst();
            positions.removeLast();
            while (times.size() > 0 && times.lastSecond() >= cut) {
                times.removeLast();
            }
        }
    }

    /** The last noted batch that begins at or before the offset, or null. */
    synchronized @Nullable BatchPosition floor(long offset) {
        int i = positions.floorIndex(offset);
        return i < 0 ? null : new BatchPosition(positions.first(i), positions.second(i));
    }

    /** A noted batch before which no record has the timestamp or a later one, or null if only the beginning is such. */
    synchronized @Nullable BatchPosition floorByTime(long timestamp) {
        if (timestamp == Long.MIN_VALUE) {
            return null;
        }
        int i = times.floorIndex(timestamp - 1);
        return i < 0 ? null : floor(times.second(i));
    }

    /** The last noted batch, or null. */
    synchronized @Nullable BatchPosition last() {
        return positions.size() == 0 ? null : new BatchPosition(positions.lastFirst(), positions.lastSecond());
    }

    /** The greatest append time, {@link #NO_TIME} if there is no batch. */
    synchronized long newestTime() {
        return newest;
    }

    /** The append time of the first batch, {@link #NO_TIME} if there is none. */
    synchronized long oldestTime() {
        return times.size() == 0 ? NO_TIME : times.first(0);
    }

    synchronized ByteBuffer offsetBytes() {
        ByteBuffer bytes = ByteBuffer.allocate(positions.size() * OFFSET_ENTRY);
        for (int i = 0; i < positions.size(); i++) {
            bytes.putInt((int) (positions.first(i) - baseOffset)).putInt((int) positions.second(i));
        }
        return bytes.flip();
    }

    synchronized ByteBuffer timeBytes() {
        ByteBuffer bytes = ByteBuffer.allocate(times.size() * TIME_ENTRY);
        for (int i = 0; i < times.size(); i++) {
            bytes.putLong(times.first(i)).putInt((int) (times.second(i) - baseOffset));
        }
        return bytes.flip();
    }

    /**
     * The index that two files say, or null if no segment of that extent can have such files.
     *
     * @param segmentBytes the length of the segment
     * @param endOffset the offset after its last record
     */
    static @Nullable SegmentIndex of(
            long baseOffset, ByteBuffer offsetBytes, ByteBuffer timeBytes, long segmentBytes, long endOffset) {
        boolean whole = offsetBytes.remaining() % OFFSET_ENTRY == 0
                && timeBytes.remaining() % TIME_ENTRY == 0
                && offsetBytes.hasRemaining() == timeBytes.hasRemaining()
                && offsetBytes.hasRemaining() == segmentBytes > 0;
        if (!whole) {
            return null;
        }
        SegmentIndex index = new SegmentIndex(baseOffset);
        while (offsetBytes.hasRemaining()) {
            index.positions.add(baseOffset + offsetBytes.getInt(), offsetBytes.getInt());
        }
        while (timeBytes.hasRemaining()) {
            index.times.add(timeBytes.getLong(), baseOffset + timeBytes.getInt());
        }
        if (index.times.size() > 0) {
            index.newest = index.times.lastFirst();
        }
        return index.isPlausible(segmentBytes, endOffset) ? index : null;
    }

    private synchronized boolean isPlausible(long segmentBytes, long endOffset) {
        for (int i = 0; i < positions.size(); i++) {
            if (!positions.risesAt(i)) {
                return false;
            }
        }
        for (int i = 0; i < times.size(); i++) {
            if (!times.risesAt(i)) {
                return false;
            }
        }
        return positions.size() == 0
                || (positions.first(0) >= baseOffset
                        && positions.second(0) >= 0
                        && positions.lastFirst() < endOffset
                        && positions.lastSecond() < segmentBytes
                        && times.second(0) >= baseOffset
                        && times.lastSecond() < endOffset);
    }

    private void addTime(long lastOffset) {
        if (times.size() == 0 || newest > times.lastFirst()) {
            times.add(newest, lastOffset);
        }
    }
}
