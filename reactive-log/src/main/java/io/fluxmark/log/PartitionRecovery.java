package io.fluxmark.log;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.util.Logger;
import reactor.util.Loggers;

/** Opens a partition: finds its segments, recovers each, cuts a torn tail. Runs on the writer thread. */
final class PartitionRecovery {

    private static final Logger LOG = Loggers.getLogger(PartitionRecovery.class);
    private static final int BUFFER_BYTES = 1 << 20;

    private final Path directory;
    private final LogSpec spec;
    private final String logDirectory;
    private final String topic;
    private final int id;
    private @Nullable CorruptSegmentException damage;

    PartitionRecovery(String logDirectory, Path directory, LogSpec spec, String topic, int id) {
        this.logDirectory = logDirectory;
        this.directory = directory;
        this.spec = spec;
        this.topic = topic;
        this.id = id;
    }

    PartitionLog recover() throws IOException {
        LogStorage storage = spec.storage();
        List<Segment> segments = segments();
        ProducerRegistry producers = new ProducerRegistry(spec.producersPerPartition());
        SegmentWriter writer = null;
        Tail tail = new Tail(0, 0, 0);
        long torn = 0;
        try (BatchInput input = new BatchInput(storage, BUFFER_BYTES)) {
            for (int i = 0; i < segments.size(); i++) {
                Segment segment = segments.get(i);
                long bytes = sizeOf(segment);
                SegmentRecovery recovery =
                        new SegmentRecovery(input, "partition " + topic + "/" + id, segment, bytes, producers);
                if (i < segments.size() - 1) {
                    recovery.recoverSealed(segments.get(i + 1).baseOffset());
                    segment.seal(bytes);
                } else {
                    recovery.recoverLast();
                    torn = bytes - recovery.goodBytes();
                    tail = new Tail(recovery.nextOffset(), segment.baseOffset(), recovery.goodBytes());
                    writer = new SegmentWriter(storage, segment, recovery.goodBytes());
                }
                note(recovery.damage());
            }
        }
        if (writer != null) {
            finish(writer, torn);
        }
        PartitionView view = new PartitionView(logDirectory, topic, id, new SegmentList(segments), tail);
        return new PartitionLog(directory, spec, new RecoveredPartition(view, producers, writer, damage, torn));
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

    private void note(@Nullable CorruptSegmentException found) {
        if (found != null) {
            LOG.error("stored records are lost", found);
            if (damage == null) {
                damage = found;
            }
        }
    }

    private List<Segment> segments() throws IOException {
        List<Segment> segments = new ArrayList<>();
        for (String name : spec.storage().list(directory)) {
            long baseOffset = RecordLayout.baseOffsetOf(name);
            if (baseOffset >= 0) {
                segments.add(new Segment(directory, baseOffset));
            }
        }
        segments.sort((a, b) -> Long.compare(a.baseOffset(), b.baseOffset()));
        return segments;
    }

    private long sizeOf(Segment segment) throws IOException {
        try (LogStorage.LogFile file = spec.storage().openForRead(segment.file())) {
            return file.size();
        }
    }
}
