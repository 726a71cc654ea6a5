package io.fluxmark.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes segments that follow each other again as one, without what compaction takes out of them, to a temporary file. Batches
 * without records left are covered by the one before, so that what there is still leads from offset to offset. Not thread-safe.
 */
final class SegmentCleaner implements SegmentScan.Visitor, Closeable {

    private static final int BUFFER_BYTES = 1 << 20;

    private final LogStorage storage;
    private final String partition;
    private final BatchCleaner batches;
    private final BooleanSupplier stopped;
    private final Path temporary;
    private final BatchInput input;
    private final LogStorage.LogFile output;
    private final List<Segment> segments = new ArrayList<>();
    private final SegmentIndex index;
    private long bytesBefore;
    private long written;
    /** Waits for how far it has to reach; ends right before the next batch. */
    private @Nullable ByteBuffer pending;

    /**
     * @param partition how messages call it
     * @param stopped asked before each batch; if so, it ends with {@link StoppedException}
     */
    SegmentCleaner(LogStorage storage, String partition, Segment first, BatchCleaner batches, BooleanSupplier stopped)
            throws IOException {
        this.storage = storage;
        this.partition = partition;
        this.batches = batches;
        this.stopped = stopped;
        this.temporary = first.file().resolveSibling(first.name() + SmallFile.TEMPORARY_SUFFIX);
        this.index = new SegmentIndex(first.baseOffset());
        this.input = new BatchInput(storage, BUFFER_BYTES);
        this.output = storage.openForWrite(temporary);
    }

    /** Whether another segment surely fits behind what is written, in a segment of at most {@code limit} bytes. */
    boolean hasRoomFor(Segment next, long limit) {
        int waiting = pending == null ? 0 : pending.limit();
        return fits(segments.get(0).baseOffset(), written + waiting, next, limit);
    }

    /** Whether so many bytes from an offset on and the next segment are one segment together: its index has room for 31 bits. */
    static boolean fits(long baseOffset, long bytes, Segment next, long limit) {
        return bytes + next.sealedBytes() <= limit && next.endOffset() - baseOffset <= Integer.MAX_VALUE;
    }

    /** Writes a segment behind the others; throws {@link CorruptSegmentException} if it is damaged. */
    void add(Segment segment) throws IOException {
        if (segments.isEmpty()) {
            // The file of a failed attempt may hold bytes.
            output.truncate(0);
        }
        segments.add(segment);
        bytesBefore += segment.sealedBytes();
        new SegmentScan(input, segment, segment.sealedBytes(), this).scanSealed(segment.endOffset());
    }

    /** Makes what is written durable. */
    CleanedSegments finish() throws IOException {
        flush();
        index.finish(segments.get(segments.size() - 1).endOffset() - 1);
        output.force();
        return new CleanedSegments(
                List.copyOf(segments),
                temporary,
                index,
                bytesBefore,
                written,
                batches.records(),
                batches.removed(),
                batches.tombstonesRemoved(),
                batches.earliestHorizon(),
                segments.size() == 1 && batches.changed() == 0 && written == bytesBefore);
    }

    @Override
    public void batch(BatchView batch, long position) throws IOException {
        if (stopped.getAsBoolean()) {
            throw new StoppedException();
        }
        ByteBuffer cleaned = batches.clean(batch);
        ByteBuffer before = pending;
        if (cleaned != null) {
            flush();
            pending = cleaned;
        } else if (before == null || !reach(before, batch.lastOffset())) {
            flush();
            pending = BatchEncoder.placeholder(batch.baseOffset(), batch.lastOffset() + 1, batch.maxTimestamp());
        }
    }

    /** Makes a batch cover offsets behind it, if it can. */
    private static boolean reach(ByteBuffer batch, long lastOffset) {
        long delta = lastOffset - batch.getLong(RecordLayout.BASE_OFFSET);
        if (delta > Integer.MAX_VALUE) {
            return false;
        }
        batch.putInt(RecordLayout.LAST_OFFSET_DELTA, (int) delta);
        return true;
    }

    private void flush() throws IOException {
        ByteBuffer batch = pending;
        if (batch == null) {
            return;
        }
        pending = null;
        BatchView view = BatchView.of(BatchEncoder.seal(batch));
        index.add(view.baseOffset(), view.lastOffset(), written, view.maxTimestamp());
        output.write(batch, written);
        written += view.length();
    }

    @Override
    public void lost(long position, long from, long until) {
        Segment damaged = segments.get(segments.size() - 1);
        throw new CorruptSegmentException(partition, damaged.name(), position, from, until);
    }

    /** Deletes, once it is closed, what {@link #finish} has not made durable. */
    void discard() throws IOException {
        storage.delete(temporary);
    }

    @Override
    public void close() throws IOException {
        input.close();
        output.close();
    }

    /** The log is being closed. */
    static final class StoppedException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        StoppedException() {
            super("the log is being closed", null, false, false);
        }
    }
}
