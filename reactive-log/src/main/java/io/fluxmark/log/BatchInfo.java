package io.fluxmark.log;

import java.nio.file.Path;
import java.util.Objects;

/**
 * What the header of a stored batch says; its checksum has been verified. See the specification of Apache Kafka's message format v2 for
 * what the fields mean.
 *
 * @param segment the file it lies in
 * @param position where in the file it begins
 * @param bytes its length, header included
 * @param baseOffset the offset of its first record, as appended
 * @param lastOffset the offset of its last record, as appended
 * @param records how many records it holds; fewer than offsets where compaction or repair has taken some out
 * @param compression how the records are compressed, as {@code none}, {@code gzip}
 * @param crc CRC-32C of everything behind the checksum, unsigned
 * @param baseTimestamp epoch ms
 * @param maxTimestamp epoch ms
 * @param appendTime whether timestamps say when records were appended, not created
 * @param control whether it holds markers of Kafka's transactions, which nobody reads
 * @param transactional whether it belongs to one of Kafka's transactions
 * @param producerId Kafka's idempotent producer, -1 for none
 * @param producerEpoch of that producer, -1 for none
 * @param baseSequence of that producer for the first record, -1 for none
 */
public record BatchInfo(
        Path segment,
        long position,
        int bytes,
        long baseOffset,
        long lastOffset,
        int records,
        String compression,
        long crc,
        long baseTimestamp,
        long maxTimestamp,
        boolean appendTime,
        boolean control,
        boolean transactional,
        long producerId,
        short producerEpoch,
        int baseSequence) {

    public BatchInfo {
        Objects.requireNonNull(segment, "segment");
        Objects.requireNonNull(compression, "compression");
    }

    static BatchInfo of(BatchView batch, Path segment, long position) {
        return new BatchInfo(
                segment,
                position,
                batch.length(),
                batch.baseOffset(),
                batch.lastOffset(),
                batch.recordCount(),
                batch.compressionName(),
                batch.crc(),
                batch.baseTimestamp(),
                batch.maxTimestamp(),
                batch.hasAppendTime(),
                batch.isControl(),
                batch.isTransactional(),
                batch.producerId(),
                batch.producerEpoch(),
                batch.baseSequence());
    }
}
