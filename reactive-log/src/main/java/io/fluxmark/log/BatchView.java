package io.fluxmark.log;

import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.zip.CRC32C;

/**
 * A batch whose checksum has been verified, over bytes of a heap buffer it does not own: valid until that is refilled. Not
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
        BatchView view = new BatchView(batch);
        if (view.baseOffset() < 0 || view.lastOffset() < view.baseOffset() || view.recordCount() < 0) {
            throw new MalformedBatchException("a batch of " + view.recordCount() + " records cannot have the offsets "
                    + view.baseOffset() + " to " + view.lastOffset());
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

    /** Its bytes, not to be changed. */
    ByteBuffer bytes() {
        return bytes.duplicate().position(0);
    }

    /** The greatest timestamp of its records, epoch ms. */
    long maxTimestamp() {
        return bytes.getLong(RecordLayout.MAX_TIMESTAMP);
    }

    /** The checksum it has, which is right. */
    long crc() {
        return Integer.toUnsignedLong(bytes.getInt(RecordLayout.CRC));
    }

    int unforcedDistance() {
        return bytes.getInt(RecordLayout.UNFORCED_DISTANCE);
    }

    /** Whether every record has {@link #maxTimestamp()}, when it was appended; otherwise each says when it was created. */
    boolean hasAppendTime() {
        return hasAttribute(RecordLayout.APPEND_TIME_FLAG);
    }

    boolean isTransactional() {
        return hasAttribute(RecordLayout.TRANSACTIONAL_FLAG);
    }

    /** Whether the records are markers of Kafka's transactions rather than anybody's. */
    boolean isControl() {
        return hasAttribute(RecordLayout.CONTROL_FLAG);
    }

    /** Whether {@link #baseTimestamp()} says when compaction may remove its tombstones. */
    boolean hasDeleteHorizon() {
        return hasAttribute(RecordLayout.DELETE_HORIZON_FLAG);
    }

    long baseTimestamp() {
        return bytes.getLong(RecordLayout.BASE_TIMESTAMP);
    }

    /** The id of Kafka's idempotent producer, -1 for none. */
    long producerId() {
        return bytes.getLong(RecordLayout.PRODUCER_ID);
    }

    short producerEpoch() {
        return bytes.getShort(RecordLayout.PRODUCER_EPOCH);
    }

    int baseSequence() {
        return bytes.getInt(RecordLayout.BASE_SEQUENCE);
    }

    /**
     * How the records are compressed.
     *
     * @throws UnsupportedFormatException if that is not known here
     */
    Compression compression() {
        return Compression.of(bytes.getShort(RecordLayout.ATTRIBUTES) & RecordLayout.COMPRESSION_MASK);
    }

    /** What {@link #compression()} is called, also if it is not known here. */
    String compressionName() {
        try {
            return compression().name().toLowerCase(Locale.ROOT);
        } catch (UnsupportedFormatException e) {
            return "type " + (bytes.getShort(RecordLayout.ATTRIBUTES) & RecordLayout.COMPRESSION_MASK);
        }
    }

    /**
     * A fresh walk over the records. Those of an uncompressed batch are read where they lie, others are decompressed first.
     *
     * @throws MalformedBatchException if they can't be, or take more than {@link RecordLayout#MAX_BATCH_BYTES}
     * @throws UnsupportedFormatException if the compression is unknown or its library missing
     */
    BatchRecords records() {
        return new BatchRecords(this, recordBytes());
    }

    /**
     * The records uncompressed, from the position to the limit; not to be changed.
     *
     * @throws MalformedBatchException as {@link #records} does
     * @throws UnsupportedFormatException as {@link #records} does
     */
    ByteBuffer recordBytes() {
        ByteBuffer records = bytes.duplicate().position(RecordLayout.HEADER_BYTES);
        Compression compression = compression();
        return compression == Compression.NONE
                ? records
                : BatchCompression.decompress(compression, records, RecordLayout.MAX_BATCH_BYTES);
    }

    /**
     * Reads the records without copying keys and values.
     *
     * @throws MalformedBatchException if they are not what the batch says
     * @throws UnsupportedFormatException as {@link #records} does
     */
    void checkRecords() {
        check(recordBytes());
    }

    /** The same with a walk over the records behind it. */
    RecordWalk checkedWalk() {
        ByteBuffer records = recordBytes();
        check(records.duplicate());
        return new RecordWalk(records, baseOffset(), recordCount());
    }

    private void check(ByteBuffer recordBytes) {
        BatchRecords records = new BatchRecords(this, recordBytes);
        while (records.hasNext()) {
            records.nextSequence();
        }
    }

    private boolean hasAttribute(short flag) {
        return (bytes.getShort(RecordLayout.ATTRIBUTES) & flag) != 0;
    }
}
