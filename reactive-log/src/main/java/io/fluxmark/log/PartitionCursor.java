package io.fluxmark.log;

import java.io.Closeable;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A position in a partition that moves forward record by record, over segments, up to the visible tail. Not thread-safe. Reads
 * from files only what the next record needs, beyond it at most the declared buffer.
 */
final class PartitionCursor implements Closeable {

    private final PartitionView partition;
    private final BatchInput input;
    private final SegmentSearch search;
    private long next;
    private @Nullable Segment segment;
    /** In the segment, where the batch after the current one begins, and with which offset it has to. */
    private long position;

    private long batchOffset;

    /** Where the current batch begins. */
    private long batchPosition;

    private @Nullable BatchRecords records;
    /** The bytes that the current batch takes besides, uncompressed. */
    private int unpacked;

    PartitionCursor(PartitionView partition, LogStorage storage, int bufferBytes, long from) {
        this.partition = partition;
        this.input = new BatchInput(storage, bufferBytes, partition.buffered());
        this.search = new SegmentSearch(storage);
        this.next = from;
    }

    /** The offset of the record to read next; there may be none of exactly that offset. */
    long position() {
        return next;
    }

    /** Goes on at another offset. */
    void moveTo(long offset) {
        startAgain();
        next = offset;
    }

    /** Whether there is nothing to read now. */
    boolean atTail() {
        return next >= partition.tail().offset();
    }

    /** The next visible record, or null at the tail. */
    @Nullable
    LogRecord next() throws IOException {
        return next(Long.MAX_VALUE);
    }

    /**
     * The next visible record below {@code end}, or null if there is none: then the position is at the tail or at {@code end}.
     * Offsets that have no record, such as those of control batches, are passed over. After an error the next call meets it
     * again.
     */
    @Nullable
    LogRecord next(long end) throws IOException {
        try {
            while (next < end) {
                BatchRecords current = records;
                if (current != null) {
                    LogRecord record = nextOf(current, end);
                    if (record != null) {
                        return record;
                    }
                } else if (!enterBatch()) {
                    return null;
                }
            }
            return null;
        } catch (MalformedBatchException e) {
            throw damagedHere(e);
        } catch (UnsupportedFormatException e) {
            throw unsupportedHere(e);
        }
    }

    /** Reads on into a run until that is full, or as {@link #next(long)} would answer null; errors as there. */
    void readInto(RecordRunBuilder run, long end) throws IOException {
        try {
            while (next < end && !run.isFull()) {
                BatchRecords current = records;
                if (current != null) {
                    addTo(run, current, end);
                } else if (!enterBatch()) {
                    return;
                }
            }
        } catch (MalformedBatchException e) {
            throw damagedHere(e);
        } catch (UnsupportedFormatException e) {
            throw unsupportedHere(e);
        }
    }

    /** Moves behind the batch of the next visible record, which is only checked; at the tail it does nothing. */
    void passBatch() throws IOException {
        Tail tail = partition.tail();
        dropRecords();
        try {
            if (next < tail.offset()) {
                nextBatch(tail).checkRecords();
                next = batchOffset;
            }
        } catch (MalformedBatchException e) {
            throw damagedHere(e);
        } catch (UnsupportedFormatException e) {
            throw unsupportedHere(e);
        }
    }

    /** Moves behind the batch of the next visible record and answers what its header says; null at the tail. */
    @Nullable
    BatchInfo nextBatchInfo() throws IOException {
        Tail tail = partition.tail();
        dropRecords();
        try {
            if (next >= tail.offset()) {
                return null;
            }
            BatchView batch = nextBatch(tail);
            next = batchOffset;
            return BatchInfo.of(batch, Objects.requireNonNull(segment).file(), batchPosition);
        } catch (UnsupportedFormatException e) {
            throw unsupportedHere(e);
        }
    }

    /** Turns to the batch of the next offset, or answers false if that is not visible yet. */
    private boolean enterBatch() throws IOException {
        Tail tail = partition.tail();
        if (next >= tail.offset()) {
            return false;
        }
        BatchView batch = nextBatch(tail);
        if (batch.isControl()) {
            next = batchOffset;
        } else {
            records = batch.records();
            unpacked = batch.compression() == Compression.NONE ? 0 : records.capacity();
            partition.buffered().add(unpacked);
        }
        return true;
    }

    /** The next record of the current batch, or null if what it has of the range has been read. */
    private @Nullable LogRecord nextOf(BatchRecords current, long end) {
        while (current.hasNext()) {
            LogRecord record = current.next(partition.id(), next);
            if (record != null && record.offset() < end) {
                next = record.offset() + 1;
                return record;
            }
            if (record != null) {
                next = end;
                startAgain();
                return null;
            }
        }
        next = batchOffset;
        dropRecords();
        return null;
    }

    /** Takes of the current batch what the run has room for; behind it, or at the end of the range, turns away from it. */
    private void addTo(RecordRunBuilder run, BatchRecords current, long end) {
        run.beginPiece(current.remaining());
        try {
            while (current.hasNext() && !run.isFull()) {
                if (!current.addNext(run, next, end)) {
                    next = end;
                    startAgain();
                    return;
                }
                next = Math.max(next, current.offset() + 1);
            }
        } finally {
            run.endPiece(current.array());
        }
        if (!current.hasNext()) {
            next = batchOffset;
            dropRecords();
        }
    }

    /** Has the next record looked for anew. */
    private void startAgain() {
        dropRecords();
        segment = null;
    }

    private void dropRecords() {
        records = null;
        partition.buffered().add(-unpacked);
        unpacked = 0;
    }

    /** The batch that holds {@code next}, which is below the tail. */
    private BatchView nextBatch(Tail tail) throws IOException {
        try {
            return findBatch(tail);
        } catch (CorruptSegmentException | IOException e) {
            if (segment != null && segment.isReplaced()) {
                // What could not be found here is in the segment that compaction has put in its place.
                startAgain();
                return nextBatch(tail);
            }
            boolean changed = partition.refresh();
            Tail now = partition.tail();
            long begin = partition.segments().beginOffset();
            if (next < begin || next >= now.offset()) {
                // It was not lost but deleted, which may be noticed in the middle of opening the file; or, if somebody
                // else
                // writes the log, cut again.
                throw new OffsetOutOfRangeException(partition.name(), next, begin, now.offset());
            }
            if (changed) {
                startAgain();
                return nextBatch(now);
            }
            throw e;
        }
    }

    private BatchView findBatch(Tail tail) throws IOException {
        if (segment == null) {
            Segment first = partition.segments().floor(next);
            if (first == null) {
                throw lost("(missing)", 0, partition.segments().beginOffset());
            }
            segment = first;
            enter(first, search.byOffset(first, next));
        }
        for (; ; ) {
            Segment current = Objects.requireNonNull(segment);
            long limit = current.readableBytes(tail);
            BatchView batch = position < limit ? input.batch(position, limit, batchOffset, batchOffset) : null;
            if (batch == null) {
                passOver(current, limit, tail);
                continue;
            }
            batchPosition = position;
            position += batch.length();
            batchOffset = batch.lastOffset() + 1;
            if (next < batchOffset) {
                return batch;
            }
        }
    }

    /** Goes on behind the end of a segment or behind damage, if the next record is there; otherwise it is lost. */
    private void passOver(Segment current, long limit, Tail tail) throws IOException {
        if (position == limit && current.isReplaced()) {
            // What follows it may have become one segment with it.
            Segment following = partition.segments().floor(next);
            if (following != null) {
                enter(following, search.byOffset(following, next));
                return;
            }
        }
        boolean last = tail.segmentBase() == current.baseOffset();
        long found = input.findFitting(position + 1, limit, batchOffset, last ? tail.offset() : current.endOffset());
        BatchView batch = found < 0 ? null : input.batch(found, limit, batchOffset, Long.MAX_VALUE);
        Segment following = partition.segments().higher(current.baseOffset());
        if (batch != null) {
            if (batch.baseOffset() > next) {
                throw lost(current.name(), position, batch.baseOffset());
            }
            position = found;
            batchOffset = batch.baseOffset();
        } else if (following == null || following.baseOffset() > next) {
            throw lost(
                    current.name(),
                    position,
                    following == null ? tail.offset() : Math.min(tail.offset(), following.baseOffset()));
        } else {
            enter(following, new BatchPosition(following.baseOffset(), 0));
        }
    }

    private void enter(Segment newSegment, BatchPosition at) throws IOException {
        segment = newSegment;
        position = at.position();
        batchOffset = at.offset();
        input.select(newSegment);
    }

    private CorruptSegmentException damagedHere(MalformedBatchException found) {
        String name = segmentName();
        startAgain();
        return new CorruptSegmentException(
                partition.name(), name, batchPosition, next, batchOffset, found.getMessage());
    }

    private UnsupportedFormatException unsupportedHere(UnsupportedFormatException found) {
        String name = segmentName();
        startAgain();
        return found.at("segment " + name + " of " + partition.name());
    }

    private String segmentName() {
        return Objects.requireNonNull(segment).name();
    }

    private CorruptSegmentException lost(String segmentName, long at, long until) {
        return new CorruptSegmentException(partition.name(), segmentName, at, next, until);
    }

    @Override
    public void close() throws IOException {
        dropRecords();
        input.close();
    }
}
