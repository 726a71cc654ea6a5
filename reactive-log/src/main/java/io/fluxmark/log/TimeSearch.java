package io.fluxmark.log;

import java.io.IOException;
import java.util.List;

/** Finds the first record appended at or after a moment. Stateless. */
final class TimeSearch {

    private TimeSearch() {}

    /**
     * The offset of the first visible record with that append time or a later one, the end if there is none.
     *
     * @param timestamp epoch ms
     * @throws CorruptSegmentException if it may lie in damage
     */
    static long find(PartitionView partition, LogStorage storage, int bufferBytes, long timestamp) throws IOException {
        SegmentSearch search = new SegmentSearch(storage);
        for (; ; ) {
            long begin = partition.segments().beginOffset();
            List<Segment> segments = partition.segments().all();
            try {
                return findNow(segments, partition, storage, bufferBytes, timestamp, search);
            } catch (IOException | OffsetOutOfRangeException e) {
                // Where the search was may have been deleted or compacted in the meantime, which can happen as often as
                // there are segments.
                boolean changed = partition.refresh();
                if (!changed
                        && partition.segments().beginOffset() == begin
                        && segments.stream().noneMatch(Segment::isReplaced)) {
                    throw e;
                }
            }
        }
    }

    private static long findNow(
            List<Segment> segments,
            PartitionView partition,
            LogStorage storage,
            int bufferBytes,
            long timestamp,
            SegmentSearch search)
            throws IOException {
        for (Segment segment : segments) {
            if (search.newestTime(segment) >= timestamp) {
                long from = search.byTime(segment, timestamp).offset();
                PartitionCursor cursor = new PartitionCursor(partition, storage, bufferBytes, from);
                // The index of the last segment may know of more than readers may see.
                return Math.min(findFrom(cursor, timestamp), partition.tail().offset());
            }
        }
        return partition.tail().offset();
    }

    private static long findFrom(PartitionCursor cursor, long timestamp) throws IOException {
        try (cursor) {
            for (; ; ) {
                LogRecord record = cursor.next();
                if (record == null) {
                    return cursor.position();
                }
                if (record.appendTime() >= timestamp) {
                    return record.offset();
                }
            }
        }
    }
}
