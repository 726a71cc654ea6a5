package io.fluxmark.log;

import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A position in a partition that moves forward record by record, over segments, up to the visible tail. Not thread-safe. Reads
 * from files only what the next record needs, beyond it at most the declared buffer.
 */
final class PartitionCursor implements Closeable {

    private final PartitionView partition;
    private final BatchInput input;
    private long next;
    private @Nullable Segment segment;
    /** In the segment, where the batch after the current one begins. */
    private long position;

    private @Nullable BatchRecords records;

    PartitionCursor(PartitionView partition, LogStorage storage, int bufferBytes, long from) {
        this.partition = partition;
        this.input = new BatchInput(storage, bufferBytes);
        this.next = from;
    }

    /** The offset of the record that {@link #next()} answers next. */
    long position() {
        return next;
    }

    /** Whether there is nothing to read now. */
    boolean atTail() {
        return next >= partition.tail().offset();
    }

    /** The next visible record, or null at the tail. */
    @Nullable
    LogRecord next() throws IOException {
        for (; ; ) {
            BatchRecords current = records;
            if (current == null) {
                Tail tail = partition.tail();
                if (next >= tail.offset()) {
                    return null;
                }
                current = nextBatch(tail).records();
                records = current;
            }
            while (current.hasNext()) {
                LogRecord record = current.next(next);
                if (record != null) {
                    next = record.offset() + 1;
                    return record;
                }
            }
            records = null;
        }
    }

    /** The batch that holds {@code next}, which is below the tail. */
    private BatchView nextBatch(Tail tail) throws IOException {
        Segment current = segment;
        if (current == null) {
            current = partition.segments().floor(next);
            if (current == null) {
                throw lost(partition.segments().higher(next), 0);
            }
            enter(current, current.index().floor(next));
        }
        for (; ; ) {
            long limit = current.readableBytes(tail);
            if (position >= limit) {
                Segment following = partition.segments().higher(current.baseOffset());
                if (following == null || following.baseOffset() > next) {
                    throw lost(current, position);
                }
                current = following;
                enter(current, 0);
                continue;
            }
            BatchView batch = input.batch(position, limit, Long.MIN_VALUE, next);
            if (batch == null) {
                throw lost(current, position);
            }
            position += batch.length();
            if (batch.lastOffset() >= next) {
                return batch;
            }
        }
    }

    private void enter(Segment newSegment, long at) throws IOException {
        segment = newSegment;
        position = at;
        input.select(newSegment.file());
    }

    /** Damage at a position of a segment: names what is lost up to the next batch that can be read. */
    private CorruptSegmentException lost(@Nullable Segment damaged, long at) throws IOException {
        Tail tail = partition.tail();
        long until = tail.offset();
        String name = "(missing)";
        if (damaged != null) {
            name = damaged.name();
            Segment following = partition.segments().higher(Math.max(next, damaged.baseOffset()));
            if (following != null) {
                until = Math.min(until, following.baseOffset());
            }
            long limit = damaged.readableBytes(tail);
            long found = input.find(at + 1, limit, next);
            BatchView batch = found < 0 ? null : input.batch(found, limit, next, Long.MAX_VALUE);
            if (batch != null) {
                until = batch.baseOffset();
            }
        }
        return new CorruptSegmentException(partition.name(), name, at, next, until);
    }

    @Override
    public void close() throws IOException {
        input.close();
    }
}
