package io.fluxmark.log;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.util.Logger;
import reactor.util.Loggers;

/**
 * Opens a partition. One that was closed in order is taken as it is. Otherwise the last segment is read, since all others were
 * forced before it was begun; and, where the newest usable snapshot of the producers is older, the segments from there on. Runs on
 * the writer thread.
 */
final class PartitionRecovery {

    private static final Logger LOG = Loggers.getLogger(PartitionRecovery.class);

    private final String logDirectory;
    private final Path directory;
    private final LogSpec spec;
    private final LogStorage storage;
    private final PartitionId id;
    private final @Nullable PartitionBounds bounds;
    private final @Nullable CleanEnd cleanEnd;

    PartitionRecovery(
            String logDirectory,
            Path directory,
            LogSpec spec,
            PartitionId id,
            @Nullable PartitionBounds bounds,
            @Nullable CleanEnd cleanEnd) {
        this.logDirectory = logDirectory;
        this.directory = directory;
        this.spec = spec;
        this.storage = spec.storage();
        this.id = id;
        this.bounds = bounds;
        this.cleanEnd = cleanEnd;
    }

    PartitionLog recover() throws IOException {
        PartitionDirectory files =
                PartitionDirectory.open(storage, directory, bounds == null ? 0 : bounds.startOffset());
        List<Segment> segments = files.segments();
        RecoveredPartition recovered = cleanEnd == null ? null : openClean(cleanEnd, segments, files.snapshots());
        if (recovered == null) {
            long durable = LogCheckpoints.durableEnd(bounds, cleanEnd);
            recovered = segments.isEmpty()
                    ? begin(segments, durable, files.snapshots())
                    : recoverLast(segments, durable, files.snapshots());
        }
        return new PartitionLog(directory, spec, recovered);
    }

    /** The partition as it was closed, or null if it is not what was closed. */
    private @Nullable RecoveredPartition openClean(CleanEnd end, List<Segment> segments, ProducerSnapshots snapshots)
            throws IOException {
        if (segments.isEmpty()) {
            return null;
        }
        Segment last = segments.get(segments.size() - 1);
        if (last.baseOffset() != end.segmentBase() || sizeOf(last) != end.segmentBytes()) {
            return null;
        }
        ProducerRegistry producers = snapshots.load(end.endOffset(), spec.producersPerPartition());
        if (producers == null) {
            return null;
        }
        sealAllButLast(segments);
        if (end.segmentBytes() > 0) {
            last.index(new SegmentIndexFiles(storage).load(last, end.segmentBytes(), end.endOffset()));
        }
        return new RecoveredPartition(
                view(segments, new Tail(end.endOffset(), last.baseOffset(), end.segmentBytes())),
                producers,
                snapshots,
                new SegmentWriter(storage, last, end.segmentBytes()),
                lostStart(segments),
                null,
                0,
                true);
    }

    private RecoveredPartition recoverLast(List<Segment> segments, long durable, ProducerSnapshots snapshots)
            throws IOException {
        sealAllButLast(segments);
        Segment last = segments.get(segments.size() - 1);
        ProducerReplay replay =
                new ProducerReplay(spec, view(segments, new Tail(0, 0, 0)).name(), segments, snapshots);
        replay.run(durable, sizeOf(last));
        CorruptSegmentException damage = lostStart(segments);
        if (damage == null) {
            damage = replay.damage();
        }
        Tail tail = new Tail(replay.nextOffset(), last.baseOffset(), replay.goodBytes());
        long torn = sizeOf(last) - replay.goodBytes();
        SegmentWriter writer;
        if (replay.nextOffset() < durable) {
            // What is left of the lost end stays where it is; the offsets it had are not given a second time.
            last.seal(sizeOf(last), durable);
            writer = create(segments, durable);
            tail = new Tail(durable, durable, 0);
            torn = 0;
        } else {
            writer = new SegmentWriter(storage, last, replay.goodBytes());
            finish(writer, torn);
        }
        // Before anything is appended at the offsets they speak of.
        snapshots.deleteAbove(tail.offset());
        return new RecoveredPartition(
                view(segments, tail), replay.producers(), snapshots, writer, damage, replay.unjudged(), torn, false);
    }

    /** A partition without segments: new, or all that it had is lost. */
    private RecoveredPartition begin(List<Segment> segments, long durable, ProducerSnapshots snapshots)
            throws IOException {
        snapshots.deleteAbove(durable);
        long start = bounds == null ? 0 : bounds.startOffset();
        ProducerRegistry producers = new ProducerRegistry(spec.producersPerPartition());
        if (durable == 0) {
            return new RecoveredPartition(
                    view(segments, new Tail(0, 0, 0)), producers, snapshots, null, null, null, 0, false);
        }
        CorruptSegmentException damage = durable > start ? missing(start, durable) : null;
        SegmentWriter writer = create(segments, durable);
        return new RecoveredPartition(
                view(segments, new Tail(durable, durable, 0)), producers, snapshots, writer, damage, damage, 0, false);
    }

    private SegmentWriter create(List<Segment> segments, long baseOffset) throws IOException {
        Segment segment = new Segment(directory, baseOffset);
        SegmentWriter writer = new SegmentWriter(storage, segment, 0);
        finish(writer, 0);
        storage.forceDirectory(directory);
        segments.add(segment);
        return writer;
    }

    /**
     * What readers are about to see must be durable: until now it may have been in the system's cache only. The file is opened
     * again by the first append, so that a log of many quiet partitions holds no files open.
     */
    private static void finish(SegmentWriter writer, long torn) throws IOException {
        try (writer) {
            if (torn > 0) {
                LOG.warn("cut a torn tail of " + torn + " bytes off "
                        + writer.segment().file() + " at " + writer.position());
                writer.repair();
            }
            writer.force();
        }
    }

    private void sealAllButLast(List<Segment> segments) throws IOException {
        for (int i = 0; i < segments.size() - 1; i++) {
            segments.get(i).seal(sizeOf(segments.get(i)), segments.get(i + 1).baseOffset());
        }
    }

    private @Nullable CorruptSegmentException lostStart(List<Segment> segments) {
        long first = segments.get(0).baseOffset();
        return bounds != null && first > bounds.startOffset() ? missing(bounds.startOffset(), first) : null;
    }

    private CorruptSegmentException missing(long from, long until) {
        CorruptSegmentException lost = new CorruptSegmentException(
                "partition " + id.topic() + "/" + id.partition(), RecordLayout.segmentName(from), 0, from, until);
        LOG.error("stored records are lost", lost);
        return lost;
    }

    private PartitionView view(List<Segment> segments, Tail tail) {
        return new PartitionView(logDirectory, id.topic(), id.partition(), new SegmentList(segments), tail);
    }

    private long sizeOf(Segment segment) throws IOException {
        try (LogStorage.LogFile file = storage.openForRead(segment.file())) {
            return file.size();
        }
    }
}
