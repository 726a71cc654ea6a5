package io.fluxmark.log;

import java.io.IOException;

/** Reads one segment from end to end, batch by batch, and tells a torn tail from damage. Not thread-safe, used once. */
final class SegmentScan {

    /** Is told what there is, in order. */
    interface Visitor {

        /**
         * An intact batch; it is valid during the call only.
         *
         * @throws MalformedBatchException if its records do not parse; then it counts as lost
         */
        void batch(BatchView batch, long position) throws IOException;

        /** Offsets {@code [from, until)}, of which the first should begin at {@code position}, cannot be read. */
        void lost(long position, long from, long until) throws IOException;
    }

    private final BatchInput input;
    private final Segment segment;
    private final long bytes;
    private final Visitor visitor;

    private long nextOffset;
    private long goodBytes;

    SegmentScan(BatchInput input, Segment segment, long bytes, Visitor visitor) {
        this.input = input;
        this.segment = segment;
        this.bytes = bytes;
        this.visitor = visitor;
        this.nextOffset = segment.baseOffset();
    }

    /** The offset after the last good record. */
    long nextOffset() {
        return nextOffset;
    }

    /** The bytes up to the end of the last good batch. */
    long goodBytes() {
        return goodBytes;
    }

    /**
     * Scans a segment that was forced as a whole: whatever cannot be read is damage.
     *
     * @param endOffset where the next segment begins
     */
    void scanSealed(long endOffset) throws IOException {
        input.select(segment);
        readGoodBatches();
        while (goodBytes < bytes) {
            long found = input.findFitting(goodBytes + 1, bytes, nextOffset, endOffset);
            if (found < 0) {
                break;
            }
            skipDamageTo(found);
            readGoodBatches();
        }
        if (nextOffset < endOffset) {
            visitor.lost(goodBytes, nextOffset, endOffset);
        }
    }

    /**
     * Scans the last segment: what cannot be read is a torn tail unless it lies below {@code durable} or a later batch proves that
     * it had been forced.
     *
     * @param durable everything below this offset was forced once
     */
    void scanLast(long durable) throws IOException {
        input.select(segment);
        readGoodBatches();
        while (goodBytes < bytes) {
            long found = input.find(goodBytes + 1, bytes, nextOffset);
            if (found < 0 || (nextOffset >= durable && !provedForced(goodBytes, found))) {
                break;
            }
            skipDamageTo(found);
            readGoodBatches();
        }
        if (nextOffset < durable) {
            visitor.lost(goodBytes, nextOffset, durable);
        }
    }

    private void readGoodBatches() throws IOException {
        try {
            for (; ; ) {
                BatchView batch = input.batch(goodBytes, bytes, nextOffset, nextOffset);
                if (batch == null) {
                    return;
                }
                visit(batch);
                nextOffset = batch.lastOffset() + 1;
                goodBytes += batch.length();
            }
        } catch (UnsupportedFormatException e) {
            throw e.at("segment " + segment.file());
        }
    }

    private void visit(BatchView batch) throws IOException {
        try {
            visitor.batch(batch, goodBytes);
        } catch (MalformedBatchException e) {
            // The checksum is right, so it was written like this: damage, and never a torn tail.
            visitor.lost(goodBytes, batch.baseOffset(), batch.lastOffset() + 1);
        }
    }

    /** Whether a batch at or after {@code later} says that the bytes at {@code position} had been forced when it was written. */
    private boolean provedForced(long position, long later) throws IOException {
        long at = later;
        long expected = nextOffset;
        while (at >= 0) {
            BatchView batch = input.batch(at, bytes, expected, Long.MAX_VALUE);
            if (batch == null) {
                at = input.find(at + 1, bytes, expected);
                continue;
            }
            if (at - batch.unforcedDistance() > position) {
                return true;
            }
            at += batch.length();
            expected = batch.lastOffset() + 1;
        }
        return false;
    }

    private void skipDamageTo(long position) throws IOException {
        BatchView batch = input.batch(position, bytes, nextOffset, Long.MAX_VALUE);
        if (batch == null) {
            throw new IOException(segment.file() + " changes while it is being read");
        }
        visitor.lost(goodBytes, nextOffset, batch.baseOffset());
        goodBytes = position;
        nextOffset = batch.baseOffset();
    }
}
