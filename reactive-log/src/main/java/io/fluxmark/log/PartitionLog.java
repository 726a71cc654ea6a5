package io.fluxmark.log;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.util.Logger;
import reactor.util.Loggers;

/**
 * The writing side of a partition. Confined to the writer thread, except for {@link #view()}.
 *
 * <p>Batches are written one write call at a time. A failed write leaves the partition usable once what it left behind has been cut
 * off, which is tried at once and again before the next write. A failed fsync is final: the system may have dropped the
 * pages and will not say so twice, so nothing is acknowledged until the log has been opened again.
 */
final class PartitionLog {

    private static final Logger LOG = Loggers.getLogger(PartitionLog.class);

    private final Path directory;
    private final LogSpec spec;
    private final PartitionView view;
    private final ProducerRegistry producers;
    private final @Nullable CorruptSegmentException damage;
    private final long tornBytes;

    /** Null until the first append of an empty partition. */
    private @Nullable SegmentWriter writer;

    private long writtenEnd;
    private Tail durableTail;
    private boolean needsRepair;
    private @Nullable PartitionFailedException failure;

    PartitionLog(Path directory, LogSpec spec, RecoveredPartition recovered) {
        this.directory = directory;
        this.spec = spec;
        this.view = recovered.view();
        this.producers = recovered.producers();
        this.damage = recovered.damage();
        this.tornBytes = recovered.tornBytes();
        this.writer = recovered.writer();
        this.durableTail = view.tail();
        this.writtenEnd = durableTail.offset();
    }

    PartitionView view() {
        return view;
    }

    ProducerRegistry producers() {
        return producers;
    }

    @Nullable
    CorruptSegmentException damage() {
        return damage;
    }

    long tornBytes() {
        return tornBytes;
    }

    /** Why nothing can be appended any more, or null. */
    @Nullable
    PartitionFailedException failure() {
        return failure;
    }

    /** The offset after the last good batch written. */
    long writtenEnd() {
        return writtenEnd;
    }

    boolean isForced() {
        return writtenEnd == durableTail.offset();
    }

    PartitionCursor cursor(long from) {
        return new PartitionCursor(view, spec.storage(), spec.readBufferBytes(), from);
    }

    /**
     * Writes the records in order. Those below {@link #writtenEnd()} afterwards are written, the others are not.
     *
     * @return why not all were written, or null
     */
    @Nullable
    PartitionFailedException write(List<PreparedRecord> records, WriteBuffer buffer) {
        try {
            if (needsRepair && writer != null) {
                writer.repair();
                needsRepair = false;
            }
            int from = 0;
            while (from < records.size()) {
                from += writeChunk(records, from, buffer);
            }
            return null;
        } catch (IOException e) {
            if (failure != null) {
                return failure;
            }
            needsRepair = true;
            repairNow();
            PartitionFailedException failed = new PartitionFailedException(
                    view.name(),
                    "a write failed",
                    needsRepair
                            ? "what it left could not be cut off yet; free space or fix the disk, then append again"
                            : "what it left was cut off; free space or fix the disk, then append again",
                    e);
            LOG.error("appends are refused", failed);
            return failed;
        }
    }

    /** Makes durable what is written, and answers whether it is; otherwise {@link #failure()} says why. */
    boolean force() {
        if (failure != null) {
            return isForced();
        }
        try {
            forceWriter();
            return true;
        } catch (IOException e) {
            failForGood(e);
            return false;
        }
    }

    /** Shows readers what they may see now. */
    void publish() {
        SegmentWriter current = writer;
        view.publishDurableEnd(durableTail.offset());
        if (current == null || spec.durability().syncsEveryAppend()) {
            view.publishTail(durableTail);
        } else if (failure == null) {
            view.publishTail(new Tail(writtenEnd, current.segment().baseOffset(), current.position()));
        }
    }

    void close() {
        if (!isForced() && failure == null) {
            force();
            publish();
        }
        view.publishClosed();
        if (writer != null) {
            try {
                writer.close();
            } catch (IOException e) {
                LOG.warn("cannot close " + writer.segment().file(), e);
            }
        }
    }

    /** Writes as many whole batches as one write call may carry and answers how many records that were. */
    private int writeChunk(List<PreparedRecord> records, int start, WriteBuffer buffer) throws IOException {
        int batchLimit = Math.min(RecordLayout.BATCH_BYTES_LIMIT, spec.readBufferBytes());
        long now = spec.clock().now(TimeUnit.MILLISECONDS);
        buffer.clear();
        SegmentWriter current = null;
        int from = start;
        while (from < records.size()) {
            int count = BatchEncoder.plan(records, from, batchLimit);
            List<PreparedRecord> batch = records.subList(from, from + count);
            int bytes = BatchEncoder.sizeOf(batch);
            if (buffer.size() > 0 && !buffer.fits(bytes)) {
                break;
            }
            if (current == null) {
                current = writerFor(bytes);
            } else if (current.position() + buffer.size() + bytes > spec.segmentBytes()) {
                break;
            }
            long position = current.position() + buffer.size();
            long unforced = position - current.forcedPosition();
            long base = writtenEnd + (from - start);
            BatchEncoder.encode(buffer.reserve(bytes), base, now, (int) Math.min(unforced, Integer.MAX_VALUE), batch);
            current.segment().index().add(base, position);
            from += count;
        }
        if (current != null) {
            current.append(buffer.flip());
        }
        writtenEnd += from - start;
        return from - start;
    }

    /** The segment with room for a batch: the current one, or the next after sealing it. */
    private SegmentWriter writerFor(int bytes) throws IOException {
        SegmentWriter current = writer;
        if (current != null) {
            if (current.position() == 0 || current.position() + bytes <= spec.segmentBytes()) {
                return current;
            }
            seal(current);
        }
        Segment segment = new Segment(directory, writtenEnd);
        LogStorage storage = spec.storage();
        SegmentWriter next = new SegmentWriter(storage, segment, 0);
        try {
            // The file of a failed attempt may hold bytes; this segment begins empty.
            next.repair();
            storage.forceDirectory(directory);
        } catch (IOException e) {
            next.close();
            throw e;
        }
        view.segments().add(segment);
        writer = next;
        durableTail = new Tail(writtenEnd, segment.baseOffset(), 0);
        return next;
    }

    /** A segment has a successor only once it is forced: recovery relies on it. */
    private void seal(SegmentWriter current) throws IOException {
        try {
            forceWriter();
        } catch (IOException e) {
            failForGood(e);
            throw e;
        }
        current.segment().seal(current.position());
        current.close();
        writer = null;
    }

    private void forceWriter() throws IOException {
        SegmentWriter current = writer;
        if (current != null && !isForced()) {
            current.force();
            durableTail = new Tail(writtenEnd, current.segment().baseOffset(), current.position());
        }
    }

    private void repairNow() {
        if (writer == null) {
            needsRepair = false;
            return;
        }
        try {
            writer.repair();
            needsRepair = false;
        } catch (IOException e) {
            LOG.warn("cannot cut " + writer.segment().file() + " back to " + writer.position() + " bytes yet", e);
        }
    }

    private void failForGood(IOException cause) {
        PartitionFailedException failed = new PartitionFailedException(
                view.name(),
                "an fsync failed",
                "nothing more is appended to it until the log is opened again on a healthy disk",
                cause);
        failure = failed;
        LOG.error("appends are refused from now on", failed);
        if (writer != null && spec.durability().syncsEveryAppend()) {
            // What was not acknowledged must not come back from the system's cache when the log is opened again.
            try {
                writer.cutToForced();
            } catch (IOException e) {
                LOG.warn("cannot cut " + writer.segment().file() + " back to its forced bytes", e);
            }
        }
    }
}
