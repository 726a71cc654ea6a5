package io.fluxmark.log;

import java.io.IOException;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Reads the last offset of each key from segments, whole batches, until memory is full. Not thread-safe. */
final class KeyReader {

    private static final int BUFFER_BYTES = 1 << 20;

    private final LogSpec spec;
    private final String partition;
    private final BooleanSupplier stopped;
    private long end;
    private boolean full;

    KeyReader(LogSpec spec, String partition, BooleanSupplier stopped) {
        this.spec = spec;
        this.partition = partition;
        this.stopped = stopped;
    }

    /**
     * Reads.
     *
     * @param segments sealed ones that follow each other
     * @param from batches below it are passed over
     */
    KeyOffsets read(List<Segment> segments, long from) throws IOException {
        KeyOffsets offsets = new KeyOffsets(spec.compactionBytes());
        end = from;
        try (BatchInput input = new BatchInput(spec.storage(), BUFFER_BYTES)) {
            for (Segment segment : segments) {
                if (full) {
                    break;
                }
                if (segment.endOffset() > from) {
                    new SegmentScan(input, segment, segment.sealedBytes(), new Visitor(segment, from, offsets))
                            .scanSealed(segment.endOffset());
                }
            }
        }
        return offsets;
    }

    /** The offset after the last batch that was read. */
    long end() {
        return end;
    }

    private final class Visitor implements SegmentScan.Visitor {

        private final Segment segment;
        private final long from;
        private final KeyOffsets offsets;

        Visitor(Segment segment, long from, KeyOffsets offsets) {
            this.segment = segment;
            this.from = from;
            this.offsets = offsets;
        }

        @Override
        public void batch(BatchView batch, long position) {
            if (stopped.getAsBoolean()) {
                throw new SegmentCleaner.StoppedException();
            }
            if (full || batch.lastOffset() < from) {
                return;
            }
            if (offsets.isFull()) {
                full = true;
                return;
            }
            // What a transaction wrote may have been aborted: it hides nothing.
            if (!batch.isControl() && !batch.isTransactional()) {
                RecordWalk walk = batch.checkedWalk();
                while (walk.next()) {
                    if (walk.hasKey()) {
                        walk.putInto(offsets);
                    }
                }
            }
            end = batch.lastOffset() + 1;
        }

        @Override
        public void lost(long position, long first, long until) {
            throw new CorruptSegmentException(partition, segment.name(), position, first, until);
        }
    }
}
