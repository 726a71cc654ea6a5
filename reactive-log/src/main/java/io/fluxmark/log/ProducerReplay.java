package io.fluxmark.log;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.util.Logger;
import reactor.util.Loggers;

/**
 * Reads what has to be read of a partition that was not closed in order: the last segment, for where the log ends, and everything
 * from the newest usable snapshot on, for what the producers have sent. Confined to the writer thread, used once.
 */
final class ProducerReplay {

    private static final Logger LOG = Loggers.getLogger(ProducerReplay.class);
    private static final int BUFFER_BYTES = 1 << 20;

    private final LogSpec spec;
    private final String partition;
    private final List<Segment> segments;
    private final ProducerSnapshots snapshots;

    private @Nullable Attempt done;

    /**
     * @param segments at least one, all but the last sealed
     */
    ProducerReplay(LogSpec spec, String partition, List<Segment> segments, ProducerSnapshots snapshots) {
        this.spec = spec;
        this.partition = partition;
        this.segments = segments;
        this.snapshots = snapshots;
    }

    /**
     * Reads.
     *
     * @param durable everything below this offset was durable once
     * @param lastBytes the length of the last segment
     */
    void run(long durable, long lastBytes) throws IOException {
        for (long snapshot : snapshots.newestFirst()) {
            ProducerRegistry producers = snapshots.load(snapshot, spec.producersPerPartition());
            if (producers != null) {
                Attempt attempt = new Attempt(producers, snapshot, durable);
                attempt.read(lastBytes);
                // One that knows of records which a crash has taken away would answer for them.
                if (snapshot <= Math.max(attempt.nextOffset, durable)) {
                    finish(attempt);
                    return;
                }
            }
        }
        Attempt attempt = new Attempt(new ProducerRegistry(spec.producersPerPartition()), 0, durable);
        attempt.read(lastBytes);
        finish(attempt);
    }

    ProducerRegistry producers() {
        return attempt().producers;
    }

    /** The offset after the last good record. */
    long nextOffset() {
        return attempt().nextOffset;
    }

    /** The bytes of the last segment up to the end of the last good batch. */
    long goodBytes() {
        return attempt().goodBytes;
    }

    /** The first damage met, or null. */
    @Nullable
    CorruptSegmentException damage() {
        return attempt().damage;
    }

    /** The first damage met that may have held sequences nobody knows of, or null. */
    @Nullable
    CorruptSegmentException unjudged() {
        return attempt().unjudged;
    }

    private void finish(Attempt attempt) {
        done = attempt;
        if (attempt.damage != null) {
            LOG.error("stored records are lost", attempt.damage);
        }
    }

    private Attempt attempt() {
        return Objects.requireNonNull(done, "not run yet");
    }

    /** One reading, with what one snapshot knows. */
    private final class Attempt implements SegmentScan.Visitor {

        private final ProducerRegistry producers;
        private final long known;
        private final long durable;
        private long nextOffset;
        private long goodBytes;
        private @Nullable Segment segment;
        private @Nullable CorruptSegmentException damage;
        private @Nullable CorruptSegmentException unjudged;

        Attempt(ProducerRegistry producers, long known, long durable) {
            this.producers = producers;
            this.known = known;
            this.durable = durable;
        }

        void read(long lastBytes) throws IOException {
            try (BatchInput input = new BatchInput(spec.storage(), BUFFER_BYTES)) {
                for (int i = firstToRead(); i < segments.size() - 1; i++) {
                    Segment sealed = segments.get(i);
                    segment = sealed;
                    new SegmentScan(input, sealed, sealed.sealedBytes(), this).scanSealed(sealed.endOffset());
                }
                Segment last = segments.get(segments.size() - 1);
                last.index(new SegmentIndex(last.baseOffset()));
                segment = last;
                SegmentScan scan = new SegmentScan(input, last, lastBytes, this);
                scan.scanLast(durable);
                nextOffset = scan.nextOffset();
                goodBytes = scan.goodBytes();
            }
        }

        private int firstToRead() {
            int first = segments.size() - 1;
            while (first > 0 && segments.get(first).baseOffset() > known) {
                first--;
            }
            return first;
        }

        @Override
        public void batch(BatchView batch, long position) {
            SegmentIndex index = Objects.requireNonNull(segment).index();
            if (index != null) {
                index.add(batch.baseOffset(), batch.lastOffset(), position, batch.maxTimestamp());
            }
            if (batch.lastOffset() < known) {
                return;
            }
            BatchRecords records = batch.records();
            while (records.hasNext()) {
                ProducerSequence sequence = records.nextSequence();
                if (sequence != null && records.offset() >= known) {
                    producers.add(sequence.producer(), sequence.sequence(), records.offset());
                }
            }
        }

        @Override
        public void lost(long position, long from, long until) {
            CorruptSegmentException found = new CorruptSegmentException(
                    partition, Objects.requireNonNull(segment).name(), position, from, until);
            damage = damage == null ? found : damage;
            if (until > known && unjudged == null) {
                unjudged = found;
            }
        }
    }
}
