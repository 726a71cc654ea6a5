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
    private final Compression compression;
    private final PartitionView view;
    private final ProducerRegistry producers;
    private final @Nullable CorruptSegmentException damage;
    private final long tornBytes;
    private final @Nullable CorruptSegmentException unjudged;
    private final ProducerSnapshots snapshots;
    private final SegmentIndexFiles indexFiles;

    /** Null until the first append of an empty partition. */
    private @Nullable SegmentWriter writer;

    private long writtenEnd;
    private Tail durableTail;
    private boolean needsRepair;
    private boolean rolled;
    /** Whether the index files or the snapshot of an orderly end are missing. */
    private boolean changed;

    private @Nullable PartitionFailedException failure;

    PartitionLog(Path directory, LogSpec spec, RecoveredPartition recovered) {
        this.directory = directory;
        this.spec = spec;
        this.view = recovered.view();
        this.compression = spec.compressionOf(view.topic());
        this.producers = recovered.producers();
        this.damage = recovered.damage();
        this.tornBytes = recovered.tornBytes();
        this.unjudged = recovered.unjudged();
        this.snapshots = recovered.snapshots();
        this.indexFiles = new SegmentIndexFiles(spec.storage());
        this.writer = recovered.writer();
        this.changed = !recovered.clean();
        this.durableTail = view.tail();
        this.writtenEnd = durableTail.offset();
    }

    Path directory() {
        return directory;
    }

    PartitionView view() {
        return view;
    }

    PartitionId id() {
        return new PartitionId(view.topic(), view.id());
    }

    ProducerRegistry producers() {
        return producers;
    }

    @Nullable
    CorruptSegmentException damage() {
        return damage;
    }

    /** Damage that may have held sequences nobody knows of, or null. */
    @Nullable
    CorruptSegmentException unjudged() {
        return unjudged;
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

    /** A cursor at an offset, or at the first one there is. */
    PartitionCursor cursor(long from) {
        long begin = view.segments().beginOffset();
        return new PartitionCursor(view, spec.storage(), spec.readBufferBytes(), Math.max(from, begin));
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

    /** The length of a segment so far. */
    long bytesOf(Segment segment) {
        SegmentWriter current = writer;
        return current != null && current.segment() == segment ? current.position() : segment.sealedBytes();
    }

    /** Whether segments may be deleted: not while it is unclear where the log ends or what producers have sent. */
    boolean isSound() {
        return failure == null && !needsRepair && unjudged == null;
    }

    /** Seals the segment being written and begins an empty one. */
    void roll() throws IOException {
        SegmentWriter current = writer;
        if (current != null) {
            seal(current);
        }
        begin();
        publish();
    }

    /** Keeps what is known of the producers where records below an offset are about to be deleted. */
    void keepProducersFrom(long offset) throws IOException {
        long durable = durableTail.offset();
        // One that knows of more than is forced may be worth nothing after a power cut.
        if (snapshots.newestFirst().stream().anyMatch(kept -> kept >= offset && kept <= durable)) {
            return;
        }
        if (!force()) {
            throw new IOException("cannot force " + view.name(), failure);
        }
        publish();
        snapshots.write(view.tail().offset(), producers);
    }

    /** Deletes the segments that end at or below an offset; readers cannot begin in them any more. */
    void deleteBefore(long offset) {
        List<Segment> dropped = view.segments().dropBefore(offset);
        for (Segment segment : dropped) {
            try {
                PartitionDirectory.delete(spec.storage(), segment);
            } catch (IOException e) {
                LOG.warn("cannot delete " + segment.file() + "; it is deleted when the log is opened again", e);
            }
        }
        LOG.info("deleted {} segments of {}, which begins at offset {} now", dropped.size(), view.name(), offset);
    }

    /**
     * After a segment was sealed: keeps what is known of the producers, so that a crash needs not read it again. To be called when the
     * registry knows all that is published.
     */
    void keepProducersIfRolled() {
        if (!rolled || !isSound()) {
            return;
        }
        rolled = false;
        try {
            snapshots.write(view.tail().offset(), producers);
        } catch (IOException e) {
            LOG.warn("cannot keep the producers of " + view.name() + "; after a crash more of the log is read", e);
        }
    }

    /** Ends because the topic is deleted: nothing of it is read or appended any more. */
    void endDeleted() {
        view.publishClosed(() -> new TopicDeletedException(view.topic()));
        SegmentWriter last = writer;
        if (last != null) {
            try {
                last.close();
            } catch (IOException e) {
                LOG.warn("cannot close " + last.segment().file(), e);
            }
        }
    }

    /** What is known of the partition whatever happens to the process now. */
    PartitionBounds bounds() {
        return new PartitionBounds(view.segments().beginOffset(), durableTail.offset());
    }

    /**
     * Forces what is written and ends. Answers where, if the partition can be opened again from there without reading it; null if it
     * is empty, damaged, or something could not be written.
     */
    @Nullable
    CleanEnd close() {
        if (!isForced() && failure == null) {
            force();
            publish();
        }
        view.publishClosed();
        SegmentWriter last = writer;
        if (last == null) {
            return null;
        }
        try {
            last.close();
            return isSound() ? closeCleanly(last) : null;
        } catch (IOException e) {
            LOG.warn("cannot close " + last.segment().file(), e);
            return null;
        }
    }

    private CleanEnd closeCleanly(SegmentWriter last) throws IOException {
        if (changed) {
            writeIndex(last.segment());
            snapshots.write(writtenEnd, producers);
        }
        return new CleanEnd(writtenEnd, last.segment().baseOffset(), last.position());
    }

    /** Writes as many whole batches as one write call may carry and answers how many records that were. */
    private int writeChunk(List<PreparedRecord> records, int start, WriteBuffer buffer) throws IOException {
        int batchLimit = spec.batchBytes();
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
                current = writerFor(bytes, now);
            } else if (current.position() + buffer.size() + bytes > spec.segmentBytes()) {
                break;
            }
            long position = current.position() + buffer.size();
            long unforced = position - current.forcedPosition();
            long base = writtenEnd + (from - start);
            BatchEncoder.encode(
                    buffer.reserve(bytes), base, now, (int) Math.min(unforced, Integer.MAX_VALUE), compression, batch);
            current.note(base, base + count - 1, position, now);
            from += count;
        }
        if (current != null) {
            changed = true;
            current.append(buffer.flip());
        }
        writtenEnd += from - start;
        return from - start;
    }

    /** The segment with room for a batch, and not too old for it: the current one, or the next after sealing it. */
    private SegmentWriter writerFor(int bytes, long now) throws IOException {
        SegmentWriter current = writer;
        if (current != null) {
            boolean fits =
                    current.position() + bytes <= spec.segmentBytes() && !current.isOlderThan(spec.segmentAge(), now);
            if (current.position() == 0 || fits) {
                return current;
            }
            seal(current);
            rolled = true;
        }
        return begin();
    }

    /** Begins a segment at the end. */
    private SegmentWriter begin() throws IOException {
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
        changed = true;
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
        Segment segment = current.segment();
        writeIndex(segment);
        segment.seal(current.position(), writtenEnd);
        current.close();
        writer = null;
    }

    private void writeIndex(Segment segment) {
        SegmentIndex index = segment.index();
        if (index != null) {
            index.finish(writtenEnd - 1);
            indexFiles.write(segment, index);
            segment.noteNewestTime(index.newestTime());
        }
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
