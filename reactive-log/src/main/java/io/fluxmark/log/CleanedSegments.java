package io.fluxmark.log;

import java.nio.file.Path;
import java.util.List;

/**
 * A compacted segment that waits to take the place of others.
 *
 * @param segments those it is made of, in order
 * @param temporary where it is, durably but for its name
 * @param records how many there were, {@code removed} how many of them are not in it, {@code tombstones} how many of those were tombstones
 * @param earliestHorizon when the first tombstone in it may be removed, epoch ms, {@link Long#MAX_VALUE} if there is none
 * @param same whether it says what the one it is made of says
 */
record CleanedSegments(
        List<Segment> segments,
        Path temporary,
        SegmentIndex index,
        long bytesBefore,
        long bytes,
        long records,
        long removed,
        long tombstones,
        long earliestHorizon,
        boolean same) {

    long baseOffset() {
        return segments.get(0).baseOffset();
    }

    long endOffset() {
        return segments.get(segments.size() - 1).endOffset();
    }

    CompactionResult result() {
        return new CompactionResult(records, records - removed, bytesBefore, bytes, tombstones);
    }

    /** The result where it does not take the place of the others. */
    CompactionResult nothing() {
        return new CompactionResult(records, records, bytesBefore, bytesBefore, 0);
    }
}
