package io.fluxmark.log;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** Goes through the batches of a range. Not thread-safe. */
final class BatchWalk implements Closeable {

    private final PartitionView partition;
    private final PartitionCursor cursor;
    private final long end;

    /**
     * @param end the end offset at subscription
     */
    BatchWalk(PartitionView partition, ReadPlan plan, long end) {
        this.partition = partition;
        this.cursor = plan.cursor();
        this.end = end;
        long begin = partition.segments().beginOffset();
        long from = plan.options().from();
        if (from < begin || from > end) {
            throw new OffsetOutOfRangeException(partition.name(), from, begin, end);
        }
    }

    /** The next batch, or null if there is none before the end. */
    @Nullable
    BatchInfo next() {
        try {
            return cursor.position() < end ? cursor.nextBatchInfo() : null;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + partition.name() + ": " + e, e);
        }
    }

    @Override
    public void close() throws IOException {
        cursor.close();
    }
}
