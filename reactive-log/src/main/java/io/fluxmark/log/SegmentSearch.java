package io.fluxmark.log;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Finds where in a segment to begin reading. What an index file says of a sealed segment is believed only if the batch is there;
 * nothing of it is kept in memory. Thread-safe.
 */
final class SegmentSearch {

    private static final int BUFFER_BYTES = 4096;

    private final LogStorage storage;
    private final SegmentIndexFiles files;

    SegmentSearch(LogStorage storage) {
        this.storage = storage;
        this.files = new SegmentIndexFiles(storage);
    }

    /** A batch from which on to look for the offset, not far before it. */
    BatchPosition byOffset(Segment segment, long offset) throws IOException {
        BatchPosition start = new BatchPosition(segment.baseOffset(), 0);
        if (offset <= segment.baseOffset()) {
            return start;
        }
        return find(segment, index -> index.floor(offset), Long.MAX_VALUE, start);
    }

    /** A batch from which on to look for a record with the timestamp or a later one: none before it has one. */
    BatchPosition byTime(Segment segment, long timestamp) throws IOException {
        BatchPosition start = new BatchPosition(segment.baseOffset(), 0);
        return find(segment, index -> index.floorByTime(timestamp), timestamp - 1, start);
    }

    /** The greatest append time in a segment, {@link SegmentIndex#NO_TIME} if it has no readable batch. */
    long newestTime(Segment segment) throws IOException {
        SegmentIndex live = segment.index();
        if (live != null) {
            return live.newestTime();
        }
        if (segment.knownNewestTime() == SegmentIndex.NO_TIME) {
            segment.noteNewestTime(load(segment).newestTime());
        }
        return segment.knownNewestTime();
    }

    /**
     * The same as far as it can be believed.
     *
     * @param following the next segment, or null if there is none
     * @param now epoch ms
     */
    long newestTime(Segment segment, @Nullable Segment following, long now) throws IOException {
        long newest = newestTime(segment);
        // Nothing was appended in the future: a clock was wrong. It was all there before its successor was begun.
        return newest > now && following != null ? oldestTime(following) : newest;
    }

    /** The append time of the first batch in a segment, {@link SegmentIndex#NO_TIME} if it has no readable batch. */
    long oldestTime(Segment segment) throws IOException {
        SegmentIndex live = segment.index();
        return live == null ? load(segment).oldestTime() : live.oldestTime();
    }

    private BatchPosition find(Segment segment, Question question, long latest, BatchPosition otherwise)
            throws IOException {
        SegmentIndex live = segment.index();
        if (live != null) {
            BatchPosition found = question.ask(live);
            return found == null ? otherwise : found;
        }
        BatchPosition found = question.ask(load(segment));
        if (found != null && !isThere(segment, found, latest)) {
            found = question.ask(files.rebuild(segment, segment.sealedBytes(), segment.endOffset()));
        }
        return found == null ? otherwise : found;
    }

    private boolean isThere(Segment segment, BatchPosition said, long latest) throws IOException {
        try (BatchInput input = new BatchInput(storage, BUFFER_BYTES)) {
            input.select(segment);
            BatchView batch = input.batch(said.position(), segment.sealedBytes(), said.offset(), said.offset());
            return batch != null && batch.maxTimestamp() <= latest;
        }
    }

    private SegmentIndex load(Segment segment) throws IOException {
        return files.load(segment, segment.sealedBytes(), segment.endOffset());
    }

    private interface Question {
        @Nullable
        BatchPosition ask(SegmentIndex index);
    }
}
