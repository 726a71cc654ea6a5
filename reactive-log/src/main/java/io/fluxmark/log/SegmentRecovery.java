package io.fluxmark.log;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Reads one segment from end to end on opening: rebuilds its index, collects producer sequences, tells a torn tail from damage.
 * Not thread-safe, used once.
 */
final class SegmentRecovery {

    private final BatchInput input;
    private final String partition;
    private final Segment segment;
    private final long bytes;
    private final ProducerRegistry producers;

    private long nextOffset;
    private long goodBytes;
    private @Nullable CorruptSegmentException damage;

    SegmentRecovery(BatchInput input, String partition, Segment segment, long bytes, ProducerRegistry producers) {
        this.input = input;
        this.partition = partition;
        this.segment = segment;
        this.bytes = bytes;
        this.producers = producers;
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

    /** The first damage found, or null. */
    @Nullable
    CorruptSegmentException damage() {
        return damage;
    }

    /**
     * Recovers a segment that was forced as a whole: whatever cannot be read is damage.
     *
     * @param endOffset where the next segment begins
     */
    void recoverSealed(long endOffset) throws IOException {
        input.select(segment.file());
        readGoodBatches();
        while (goodBytes < bytes) {
            long found = input.find(goodBytes + 1, bytes, nextOffset);
            if (found < 0) {
                break;
            }
            skipDamageTo(found);
            readGoodBatches();
        }
        if (nextOffset != endOffset) {
            report(goodBytes, nextOffset, endOffset);
        }
    }

    /** Recovers the last segment: what cannot be read is a torn tail unless a later batch proves that it had been forced. */
    void recoverLast() throws IOException {
        input.select(segment.file());
        readGoodBatches();
        while (goodBytes < bytes) {
            long found = input.find(goodBytes + 1, bytes, nextOffset);
            if (found < 0 || !provedForced(goodBytes, found)) {
                return;
            }
            skipDamageTo(found);
            readGoodBatches();
        }
    }

    private void readGoodBatches() throws IOException {
        for (; ; ) {
            BatchView batch = input.batch(goodBytes, bytes, nextOffset, nextOffset);
            if (batch == null) {
                return;
            }
            BatchRecords records = batch.records();
            while (records.hasNext()) {
                ProducerSequence sequence = records.nextSequence();
                if (sequence != null) {
                    producers.add(sequence.producer(), sequence.sequence(), records.offset());
                }
            }
            segment.index().add(batch.baseOffset(), goodBytes);
            nextOffset = batch.lastOffset() + 1;
            goodBytes += batch.length();
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
        report(goodBytes, nextOffset, batch.baseOffset());
        goodBytes = position;
        nextOffset = batch.baseOffset();
    }

    private void report(long position, long from, long until) {
        if (damage == null) {
            damage = new CorruptSegmentException(partition, segment.name(), position, from, until);
        }
    }
}
