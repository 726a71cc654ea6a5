package io.fluxmark.log;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.CRC32C;

/** Batches put together by hand, also such as no writer makes. */
final class RawBatches {

    private RawBatches() {}

    /** A batch as the log writes it. */
    static byte[] encoded(long base, Compression compression, List<AppendRecord> records) throws IOException {
        List<PreparedRecord> prepared =
                records.stream().map(PreparedRecord::new).toList();
        ByteBuffer bytes = ByteBuffer.allocate(BatchEncoder.sizeOf(prepared));
        BatchEncoder.encode(bytes, base, 1_000 + base, 0, compression, prepared);
        byte[] batch = new byte[bytes.position()];
        bytes.flip().get(batch);
        return batch;
    }

    /** A batch with these attributes around whatever is to be its records. */
    static byte[] of(long base, int count, int attributes, byte[] records) {
        ByteBuffer bytes = ByteBuffer.allocate(RecordLayout.HEADER_BYTES + records.length);
        bytes.putLong(RecordLayout.BASE_OFFSET, base);
        bytes.putInt(RecordLayout.BATCH_LENGTH, bytes.capacity() - RecordLayout.LENGTH_OVERHEAD);
        bytes.put(RecordLayout.MAGIC, RecordLayout.MAGIC_V2);
        bytes.putShort(RecordLayout.ATTRIBUTES, (short) attributes);
        bytes.putInt(RecordLayout.LAST_OFFSET_DELTA, count - 1);
        bytes.putLong(RecordLayout.PRODUCER_ID, -1);
        bytes.putShort(RecordLayout.PRODUCER_EPOCH, (short) -1);
        bytes.putInt(RecordLayout.BASE_SEQUENCE, -1);
        bytes.putInt(RecordLayout.RECORD_COUNT, count);
        bytes.position(RecordLayout.HEADER_BYTES).put(records);
        return sealed(bytes.array());
    }

    /** The same bytes with the right checksum. */
    static byte[] sealed(byte[] batch) {
        CRC32C crc = new CRC32C();
        crc.update(batch, RecordLayout.ATTRIBUTES, batch.length - RecordLayout.ATTRIBUTES);
        ByteBuffer.wrap(batch).putInt(RecordLayout.CRC, (int) crc.getValue());
        return batch;
    }

    static byte[] compressed(Compression compression, byte[] piece, int times) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream stream = compression.compress(bytes)) {
            for (int i = 0; i < times; i++) {
                stream.write(piece);
            }
        }
        return bytes.toByteArray();
    }

    /** A log whose only topic has one partition without a segment, as a crash would leave it. */
    static LogImage emptyLog(Path directory) {
        try (EventLog log = Logs.open(directory)) {
            Logs.topic(log);
            return LogImage.of(directory);
        }
    }

    /** Batches one behind the other. */
    static byte[] joined(byte[]... batches) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (byte[] batch : batches) {
            bytes.writeBytes(batch);
        }
        return bytes.toByteArray();
    }
}
