package io.fluxmark.log;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Reads a partition from its begin to the end it had, for the damage in it. Not thread-safe. */
final class Verification implements Closeable {

    private final PartitionView partition;
    private final LogStorage storage;
    private final int bufferBytes;
    private final long end;
    private final LongConsumer progress;
    private PartitionCursor cursor;

    /**
     * @param progress is told after each batch up to which offset all has been read
     */
    Verification(PartitionView partition, LogStorage storage, int bufferBytes, LongConsumer progress) {
        this.partition = partition;
        this.storage = storage;
        this.bufferBytes = bufferBytes;
        this.progress = progress;
        this.end = partition.tail().offset();
        this.cursor = cursorAt(partition.segments().beginOffset());
    }

    /** The next damage, or null if there is no more. */
    @Nullable
    CorruptSegmentException next() {
        try {
            for (; ; ) {
                try {
                    while (cursor.position() < end) {
                        cursor.passBatch();
                        progress.accept(cursor.position());
                    }
                    return null;
                } catch (CorruptSegmentException damage) {
                    moveTo(damage.lostUntil());
                    return damage;
                } catch (OffsetOutOfRangeException deleted) {
                    moveTo(deleted.begin());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot verify " + partition.name() + ": " + e, e);
        }
    }

    private void moveTo(long offset) throws IOException {
        cursor.close();
        cursor = cursorAt(offset);
    }

    private PartitionCursor cursorAt(long offset) {
        return new PartitionCursor(partition, storage, bufferBytes, offset);
    }

    @Override
    public void close() throws IOException {
        cursor.close();
    }
}
