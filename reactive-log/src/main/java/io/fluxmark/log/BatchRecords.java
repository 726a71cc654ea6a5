package io.fluxmark.log;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A walk over the records of one batch, decoding one at a time. Not thread-safe. */
final class BatchRecords {

    private static final byte[] EMPTY = {};

    private final ByteBuffer bytes;
    private final long baseOffset;
    private final long timestamp;
    private final boolean sameTimestamp;
    private int remaining;
    private long offset;
    private long timestampDelta;

    BatchRecords(ByteBuffer bytes, long baseOffset, int count, long timestamp, boolean sameTimestamp) {
        this.bytes = bytes;
        this.baseOffset = baseOffset;
        this.remaining = count;
        this.timestamp = timestamp;
        this.sameTimestamp = sameTimestamp;
    }

    boolean hasNext() {
        return remaining > 0;
    }

    /**
     * The next record, copied out of the batch; null, without copying anything, if its offset is below {@code from}. A value
     * absent in the file (a tombstone of another writer) is read as empty.
     */
    @Nullable
    LogRecord next(long from) {
        try {
            int end = enter();
            if (offset < from) {
                bytes.position(end);
                return null;
            }
            byte[] key = nullableBytes();
            byte[] value = bytesOrEmpty();
            List<Header> headers = headers();
            leave(end);
            return new LogRecord(offset, sameTimestamp ? timestamp : timestamp + timestampDelta, key, value, headers);
        } catch (BufferUnderflowException | IllegalArgumentException | ArithmeticException e) {
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
        } catch (BufferUnderflowException | IllegalArgumentException | ArithmeticException e) {
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
        int length = Varints.getInt(bytes);
        int end = Math.addExact(bytes.position(), length);
        bytes.get();
        timestampDelta = Varints.getLong(bytes);
        offset = baseOffset + Varints.getInt(bytes);
        return end;
    }

    private void leave(int end) {
        if (bytes.position() != end) {
            throw new MalformedBatchException("record at offset " + offset + " has a wrong length");
        }
    }

    private List<Header> headers() {
        int count = Varints.getInt(bytes);
        if (count == 0) {
            return List.of();
        }
        List<Header> headers = new ArrayList<>(Math.min(count, 16));
        for (int i = 0; i < count; i++) {
            String name = new String(bytesOrEmpty(), StandardCharsets.UTF_8);
            headers.add(new Header(name, bytesOrEmpty()));
        }
        return headers;
    }

    private byte[] bytesOrEmpty() {
        byte[] value = nullableBytes();
        return value == null ? EMPTY : value;
    }

    private byte @Nullable [] nullableBytes() {
        int length = Varints.getInt(bytes);
        if (length < 0) {
            return null;
        }
        if (length > bytes.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] value = new byte[length];
        bytes.get(value);
        return value;
    }

    private void skipBytes() {
        int length = Varints.getInt(bytes);
        bytes.position(bytes.position() + Math.max(length, 0));
    }

    private MalformedBatchException malformed(RuntimeException cause) {
        MalformedBatchException malformed =
                new MalformedBatchException("records of the batch at offset " + baseOffset + " do not parse: " + cause);
        malformed.initCause(cause);
        return malformed;
    }
}
