package io.fluxmark.log;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A walk over the records of one batch, decoding one at a time. Not thread-safe.
 *
 * <p>Anything but records with rising offsets of the batch, as many as it says and nothing behind them, is a {@link
 * MalformedBatchException}; after one the walk must not be continued.
 */
final class BatchRecords {

    private final ByteInput bytes;
    private final int capacity;
    private final long baseOffset;
    private final long lastOffset;
    private final long timestamp;
    private final boolean sameTimestamp;
    private int remaining;
    private long offset;
    private long timestampDelta;

    /**
     * @param records the batch's records from the position to the limit, uncompressed
     */
    BatchRecords(BatchView batch, ByteBuffer records) {
        bytes = new ByteInput(records);
        capacity = records.capacity();
        baseOffset = batch.baseOffset();
        lastOffset = batch.lastOffset();
        remaining = batch.recordCount();
        sameTimestamp = batch.hasAppendTime();
        timestamp = sameTimestamp ? batch.maxTimestamp() : batch.baseTimestamp();
        offset = baseOffset - 1;
    }

    /** The bytes of the buffer it walks over. */
    int capacity() {
        return capacity;
    }

    boolean hasNext() {
        return remaining > 0;
    }

    /**
     * The next record, copied out of the batch; null, without copying anything, if its offset is below {@code from}.
     *
     * @param partition the number of the partition it is read from
     */
    @Nullable
    LogRecord next(int partition, long from) {
        try {
            int end = enter();
            if (offset < from) {
                bytes.position(end);
                leave(end);
                return null;
            }
            byte[] key = bytesOrNull();
            byte[] value = bytesOrNull();
            List<Header> headers = headers();
            leave(end);
            return new LogRecord(
                    partition, offset, sameTimestamp ? timestamp : timestamp + timestampDelta, key, value, headers);
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            throw malformed(e);
        }
    }

    /** The sequence of the next record, or null if it has none; keys and values are not copied. */
    @Nullable
    ProducerSequence nextSequence() {
        try {
            int end = enter();
            skipBytes();
            skipBytes();
            ProducerSequence sequence = ProducerSequence.in(headers());
            leave(end);
            return sequence;
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            throw malformed(e);
        }
    }

    /** The offset of the record read last. */
    long offset() {
        return offset;
    }

    /** Reads what precedes the key and answers where the record ends. */
    private int enter() {
        remaining--;
        int length = bytes.getVarint();
        if (length < 0 || length > bytes.remaining()) {
            throw new MalformedBatchException("a record of the batch at offset " + baseOffset + " has " + length
                    + " bytes where " + bytes.remaining() + " are left");
        }
        int end = bytes.position() + length;
        bytes.get();
        timestampDelta = bytes.getVarlong();
        long next = baseOffset + bytes.getVarint();
        if (next <= offset || next > lastOffset) {
            throw new MalformedBatchException("offset " + next + " follows " + offset + " in the batch of the offsets "
                    + baseOffset + " to " + lastOffset);
        }
        offset = next;
        return end;
    }

    private void leave(int end) {
        if (bytes.position() != end) {
            throw new MalformedBatchException("the record at offset " + offset + " has a wrong length");
        }
        if (remaining == 0 && bytes.remaining() > 0) {
            throw new MalformedBatchException(
                    bytes.remaining() + " bytes follow the last record of the batch at offset " + baseOffset);
        }
    }

    private List<Header> headers() {
        int count = bytes.getVarint();
        if (count < 0) {
            throw new MalformedBatchException("the record at offset " + offset + " has " + count + " headers");
        }
        if (count == 0) {
            return List.of();
        }
        List<Header> headers = new ArrayList<>(Math.min(count, 16));
        for (int i = 0; i < count; i++) {
            byte[] name = bytesOrNull();
            if (name == null) {
                throw new MalformedBatchException("a header of the record at offset " + offset + " has no name");
            }
            headers.add(new Header(new String(name, StandardCharsets.UTF_8), bytesOrNull()));
        }
        return headers;
    }

    private byte @Nullable [] bytesOrNull() {
        int length = length();
        if (length < 0) {
            return null;
        }
        return bytes.get(length);
    }

    private void skipBytes() {
        int length = length();
        bytes.position(bytes.position() + Math.max(length, 0));
    }

    /** A length that is there, or -1 for nothing. */
    private int length() {
        int length = bytes.getVarint();
        if (length < -1 || length > bytes.remaining()) {
            throw new MalformedBatchException("a part of the record at offset " + offset + " has " + length
                    + " bytes where " + bytes.remaining() + " are left");
        }
        return length;
    }

    private MalformedBatchException malformed(RuntimeException cause) {
        MalformedBatchException malformed =
                new MalformedBatchException("records of the batch at offset " + baseOffset + " do not parse: " + cause);
        malformed.initCause(cause);
        return malformed;
    }
}
