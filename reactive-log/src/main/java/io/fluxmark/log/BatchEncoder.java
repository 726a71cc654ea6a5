package io.fluxmark.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.zip.CRC32C;

/** Writes batches, see {@link RecordLayout}. Pure functions. */
final class BatchEncoder {

    private BatchEncoder() {}

    /**
     * How many records from {@code from} on make up the next batch: as many as fit {@code maxBytes}, at least one.
     */
    static int plan(List<PreparedRecord> records, int from, int maxBytes) {
        int bytes = RecordLayout.HEADER_BYTES;
        int count = 0;
        while (from + count < records.size() && count < RecordLayout.BATCH_RECORDS_LIMIT) {
            int next = records.get(from + count).bytesAt(count);
            if (count > 0 && bytes + next > maxBytes) {
                break;
            }
            bytes += next;
            count++;
        }
        return count;
    }

    /** The size of the batch of these records; compressed it may be smaller, never larger. */
    static int sizeOf(List<PreparedRecord> records) {
        int bytes = RecordLayout.HEADER_BYTES;
        for (int i = 0; i < records.size(); i++) {
            bytes += records.get(i).bytesAt(i);
        }
        return bytes;
    }

    /**
     * Puts one batch at the position of a buffer.
     *
     * @param unforced bytes of the segment before this batch that are not forced
     * @param compression is done without where it would not make the records smaller
     */
    static void encode(
            ByteBuffer target,
            long baseOffset,
            long appendTime,
            int unforced,
            Compression compression,
            List<PreparedRecord> records)
            throws IOException {
        int start = target.position();
        target.position(start + RecordLayout.HEADER_BYTES);
        for (int i = 0; i < records.size(); i++) {
            records.get(i).writeTo(target, i);
        }
        boolean compressed = BatchCompression.compress(compression, target, start + RecordLayout.HEADER_BYTES);
        int end = target.position();
        target.putLong(start + RecordLayout.BASE_OFFSET, baseOffset);
        target.putInt(start + RecordLayout.BATCH_LENGTH, end - start - RecordLayout.LENGTH_OVERHEAD);
        target.putInt(start + RecordLayout.UNFORCED_DISTANCE, unforced);
        target.put(start + RecordLayout.MAGIC, RecordLayout.MAGIC_V2);
        target.putShort(start + RecordLayout.ATTRIBUTES, (short)
                (RecordLayout.APPEND_TIME_FLAG | (compressed ? compression.id() : Compression.NONE.id())));
        target.putInt(start + RecordLayout.LAST_OFFSET_DELTA, records.size() - 1);
        target.putLong(start + RecordLayout.BASE_TIMESTAMP, appendTime);
        target.putLong(start + RecordLayout.MAX_TIMESTAMP, appendTime);
        target.putLong(start + RecordLayout.PRODUCER_ID, -1);
        target.putShort(start + RecordLayout.PRODUCER_EPOCH, (short) -1);
        target.putInt(start + RecordLayout.BASE_SEQUENCE, -1);
        target.putInt(start + RecordLayout.RECORD_COUNT, records.size());
        putChecksum(target, start, end);
    }

    /** A batch that takes the place of offsets {@code [from, until)}, at most {@link Integer#MAX_VALUE}, without holding a record. */
    static ByteBuffer placeholder(long from, long until, long timestamp) {
        ByteBuffer batch = ByteBuffer.allocate(RecordLayout.HEADER_BYTES);
        batch.putLong(RecordLayout.BASE_OFFSET, from);
        batch.put(RecordLayout.MAGIC, RecordLayout.MAGIC_V2);
        batch.putShort(RecordLayout.ATTRIBUTES, RecordLayout.APPEND_TIME_FLAG);
        batch.putInt(RecordLayout.LAST_OFFSET_DELTA, (int) (until - from - 1));
        batch.putLong(RecordLayout.BASE_TIMESTAMP, timestamp);
        batch.putLong(RecordLayout.MAX_TIMESTAMP, timestamp);
        batch.putLong(RecordLayout.PRODUCER_ID, -1);
        batch.putShort(RecordLayout.PRODUCER_EPOCH, (short) -1);
        batch.putInt(RecordLayout.BASE_SEQUENCE, -1);
        return seal(batch);
    }

    /** Gives a batch, from index 0 to the limit, its length and checksum; it goes where all before it has been forced. */
    static ByteBuffer seal(ByteBuffer batch) {
        batch.putInt(RecordLayout.BATCH_LENGTH, batch.limit() - RecordLayout.LENGTH_OVERHEAD);
        batch.putInt(RecordLayout.UNFORCED_DISTANCE, 0);
        putChecksum(batch, 0, batch.limit());
        return batch;
    }

    private static void putChecksum(ByteBuffer target, int start, int end) {
        CRC32C crc = new CRC32C();
        crc.update(target.duplicate().limit(end).position(start + RecordLayout.ATTRIBUTES));
        target.putInt(start + RecordLayout.CRC, (int) crc.getValue());
    }
}
