package io.fluxmark.log;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.scheduler.Scheduler;

/**
 * What is in the files of a partition that somebody else may be writing: everything up to the last valid batch. Nobody tells when
 * that changes, so the files are looked at again every so often while there are readers. Thread-safe.
 *
 * <p>A segment with a successor is complete. In the last one a batch that is not valid is either being written or torn: it is looked
 * at again when the length of the file has changed.
 */
final class StoredPartitionView extends PartitionView {

    /** So often files may come and go while they are being looked at. */
    private static final int ATTEMPTS = 10;

    private final Path log;
    private final PartitionId id;
    private final Path directory;
    private final LogStorage storage;
    private final int bufferBytes;
    private final Scheduler scheduler;
    private final long pollNanos;

    /** Guarded by this, like what follows: below it everything was forced once. */
    private long durable;

    private long scannedBytes;
    private @Nullable Disposable polling;

    StoredPartitionView(Path log, PartitionId id, LogStorage storage, LogSpec spec, Duration pollInterval) {
        super(log.toString(), id.topic(), id.partition(), new SegmentList(List.of()), new Tail(0, 0, 0));
        this.log = log;
        this.id = id;
        this.directory = LogLayout.partitionDirectory(log, id);
        this.storage = storage;
        this.bufferBytes = spec.readBufferBytes();
        this.scheduler = spec.readScheduler();
        this.pollNanos = pollInterval.toNanos();
    }

    /** The segments there are now, in order. */
    List<Segment> list() throws IOException {
        return SegmentSwap.list(directory, storage.list(directory));
    }

    /**
     * Shows what the files hold.
     *
     * @param found the segments
     * @param startOffset nothing below it belongs to the partition any more
     * @param durableEnd everything below it was forced once
     * @return whether other segments are shown than before, or an end before that of before
     * @throws NoSuchFileException if one of the segments has been deleted in the meantime
     */
    synchronized boolean show(List<Segment> found, long startOffset, long durableEnd) throws IOException {
        durable = Math.max(durable, durableEnd);
        List<Segment> segments = new ArrayList<>();
        for (int i = 0; i < found.size() - 1; i++) {
            long end = found.get(i + 1).baseOffset();
            if (end > startOffset) {
                segments.add(sealed(found.get(i), end));
            }
        }
        Tail before = tail();
        Tail tail = before;
        if (!found.isEmpty()) {
            Segment last = known(found.get(found.size() - 1));
            segments.add(last);
            tail = survey(last);
        } else if (durable > 0) {
            // All of it is lost, and what is appended next has this offset.
            segments.add(new Segment(directory, durable));
            tail = new Tail(durable, durable, 0);
        }
        List<Segment> old = segments().all();
        segments().show(segments);
        publishTail(tail);
        for (Segment each : old) {
            if (each.baseOffset() >= segments().beginOffset() && !segments.contains(each)) {
                each.replace();
            }
        }
        return !segments.equals(old) || tail.offset() < before.offset();
    }

    /** A segment that does not grow any more: the one that was shown before, unless compaction has put another in its place. */
    private Segment sealed(Segment found, long end) throws IOException {
        long bytes = sizeOf(found);
        Segment known = known(found);
        // What was the last one may have been compacted already: only if nothing has changed is it certainly the same
        // file.
        long knownBytes = known.endOffset() >= 0 ? known.sealedBytes() : known.readableBytes(tail());
        long knownEnd = known.endOffset() >= 0 ? known.endOffset() : tail().offset();
        Segment segment = knownBytes == bytes && knownEnd == end ? known : found;
        segment.seal(bytes, end);
        return segment;
    }

    /** The same segment as it was shown before, if it was: a cursor that is in the middle of it sees what becomes of it. */
    private Segment known(Segment found) {
        Segment floor = segments().floor(found.baseOffset());
        return floor != null && floor.baseOffset() == found.baseOffset() ? floor : found;
    }

    @Override
    synchronized boolean refresh() throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                return refreshOnce();
            } catch (NoSuchFileException e) {
                // It was deleted after it had been listed.
                if (attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private boolean refreshOnce() throws IOException {
        List<Segment> found = list();
        if (!found.isEmpty()) {
            return show(found, 0, durable);
        }
        if (!storage.list(log).contains(LogLayout.metadataName(id.topic()))) {
            publishClosed(() -> new TopicDeletedException(id.topic()));
        }
        return false;
    }

    @Override
    synchronized void add(TailListener listener) {
        super.add(listener);
        if (polling == null) {
            polling = scheduler.schedulePeriodically(this::poll, pollNanos, pollNanos, TimeUnit.NANOSECONDS);
        }
    }

    @Override
    synchronized void remove(TailListener listener) {
        super.remove(listener);
        if (polling != null && listeners() == 0) {
            polling.dispose();
            polling = null;
        }
    }

    private void poll() {
        try {
            if (!hasMoved()) {
                return;
            }
        } catch (IOException e) {
            String message = "cannot follow " + name() + ": " + e;
            publishClosed(() -> new UncheckedIOException(message, e));
        }
        wakeListeners();
    }

    /** Looks at the end only, unless segments have come or gone. */
    private synchronized boolean hasMoved() throws IOException {
        Tail before = tail();
        List<Long> known = bases(segments().all());
        List<Long> bases = bases(list());
        if (bases.equals(known) && !known.isEmpty()) {
            publishTail(extended(segments().all().get(known.size() - 1), before));
        } else if (!known.isEmpty() || !bases.isEmpty()) {
            refresh();
        }
        return isClosed() || !tail().equals(before);
    }

    private static List<Long> bases(List<Segment> segments) {
        return segments.stream().map(Segment::baseOffset).toList();
    }

    /** Where the visible records of the last segment end, going on from where they ended before. */
    private Tail extended(Segment last, Tail before) throws IOException {
        long bytes = sizeOf(last);
        if (bytes == scannedBytes) {
            return before;
        }
        Tail tail = bytes < before.position() ? before : readOn(last, before, bytes);
        // Nothing that goes on from there: the writer is in the middle of it, or has cut what it could not acknowledge.
        return tail.equals(before) ? survey(last) : tail;
    }

    private Tail readOn(Segment last, Tail before, long bytes) throws IOException {
        long offset = before.offset();
        long position = before.position();
        SegmentIndex index = last.index();
        try (BatchInput input = new BatchInput(storage, bufferBytes)) {
            input.select(last);
            for (; ; ) {
                BatchView batch = input.batch(position, bytes, offset, offset);
                if (batch == null) {
                    break;
                }
                if (index != null) {
                    index.add(batch.baseOffset(), batch.lastOffset(), position, batch.maxTimestamp());
                }
                offset = batch.lastOffset() + 1;
                position += batch.length();
            }
        }
        if (position > before.position()) {
            scannedBytes = bytes;
        }
        return new Tail(offset, last.baseOffset(), position);
    }

    /** Reads the last segment from its beginning, as the recovery of the log would. */
    private Tail survey(Segment last) throws IOException {
        long bytes = sizeOf(last);
        SegmentIndex index = new SegmentIndex(last.baseOffset());
        try (BatchInput input = new BatchInput(storage, bufferBytes)) {
            SegmentScan scan = new SegmentScan(input, last, bytes, new SegmentScan.Visitor() {
                @Override
                public void batch(BatchView batch, long position) {
                    index.add(batch.baseOffset(), batch.lastOffset(), position, batch.maxTimestamp());
                }

                @Override
                public void lost(long position, long from, long until) {
                    // Whoever reads there meets it.
                }
            });
            scan.scanLast(durable);
            last.index(index);
            scannedBytes = bytes;
            return scan.nextOffset() < durable
                    ? new Tail(durable, last.baseOffset(), bytes)
                    : new Tail(scan.nextOffset(), last.baseOffset(), scan.goodBytes());
        }
    }

    private long sizeOf(Segment segment) throws IOException {
        try (LogStorage.LogFile file = segment.openForRead(storage)) {
            return file.size();
        }
    }
}
