package io.fluxmark.log;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * A batch whose checksum has been verified, over bytes it does not own: valid until the buffer beneath is refilled. Not
 * thread-safe.
 */
final class BatchView {

    private final ByteBuffer bytes;

    private BatchView(ByteBuffer bytes) {
        this.bytes = bytes;
    }

    /** The whole length of a batch by its first twelve bytes, or -1 if no batch has that length. */
    static int lengthOf(ByteBuffer header) {
        int length = header.getInt(RecordLayout.BATCH_LENGTH);
        return length < RecordLayout.HEADER_BYTES - RecordLayout.LENGTH_OVERHEAD
                        || length > RecordLayout.MAX_BATCH_BYTES - RecordLayout.LENGTH_OVERHEAD
                ? -1
                : length + RecordLayout.LENGTH_OVERHEAD;
    }

    /**
     * The batch in the buffer.
     *
     * @param batch exactly its bytes, from index 0 to the limit
     * @throws MalformedBatchException if it is none
     */
    static BatchView of(ByteBuffer batch) {
        if (batch.limit() < RecordLayout.HEADER_BYTES || lengthOf(batch) != batch.limit()) {
            throw new MalformedBatchException("batch length does not match");
        }
        if (batch.get(RecordLayout.MAGIC) != RecordLayout.MAGIC_V2) {
            throw new MalformedBatchException("magic " + batch.get(RecordLayout.MAGIC) + " is not 2");
        }
        CRC32C crc = new CRC32C();
        crc.update(batch.duplicate().position(RecordLayout.ATTRIBUTES));
        if ((int) crc.getValue() != batch.getInt(RecordLayout.CRC)) {
            throw new MalformedBatchException("checksum does not match");
        }
        short attributes = batch.getShort(RecordLayout.ATTRIBUTES);
        if ((attributes & RecordLayout.COMPRESSION_MASK) != 0) {
            throw new MalformedBatchException("compression type " + (attributes & RecordLayout.COMPRESSION_MASK)
                    + " is not supported; write batches uncompressed");
        }
        BatchView view = new BatchView(batch);
        if (view.recordCount() < 0 || view.lastOffset() < view.baseOffset()) {
            throw new MalformedBatchException("record count or last offset is negative");
        }
        return view;
    }

    int length() {
        return bytes.limit();
    }

    long baseOffset() {
        return bytes.getLong(RecordLayout.BASE_OFFSET);
    }

    long lastOffset() {
        return baseOffset() + bytes.getInt(RecordLayout.LAST_OFFSET_DELTA);
    }

    int recordCount() {
        return bytes.getInt(RecordLayout.RECORD_COUNT);
    }

    /** The greatest timestamp of its records, epoch ms. */
    long maxTimestamp() {
        return bytes.getLong(RecordLayout.MAX_TIMESTAMP);
    }

    int unforcedDistance() {
        return bytes.getInt(RecordLayout.UNFORCED_DISTANCE);
    }

    /** A fresh walk over the records. */
    BatchRecords records() {
        boolean appendTime = (bytes.getShort(RecordLayout.ATTRIBUTES) & RecordLayout.APPEND_TIME_FLAG) != 0;
        return new BatchRecords(
                bytes.duplicate().position(RecordLayout.HEADER_BYTES),
                baseOffset(),
                recordCount(),
                bytes.getLong(appendTime ? RecordLayout.MAX_TIMESTAMP : RecordLayout.BASE_TIMESTAMP),
                appendTime);
    }
}
