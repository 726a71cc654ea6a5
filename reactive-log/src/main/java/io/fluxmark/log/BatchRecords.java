package io.fluxmark.log;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A walk over the records of one batch, decoding one at a time. Not thread-safe.
 *
 * <p>Anything but records with rising offsets of the batch, as many as it says and nothing behind them, is a {@link
 * MalformedBatchException}; after one the walk must not be continued.
 */
final class BatchRecords {

    /** What stands before the key of a record has no more bytes as a rule. */
    private static final int SHORT_HEAD = 16;

    private final ByteInput bytes;
    private final RecordParts parts;
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
        parts = new RecordParts(bytes);
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
            byte[] key = parts.bytesOrNull(offset);
            byte[] value = parts.bytesOrNull(offset);
            List<Header> headers = parts.headers(offset);
            leave(end);
            return new LogRecord(partition, offset, appendTime(), key, value, headers);
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            throw malformed(e);
        }
    }

    /**
     * Takes the next record into a run, unless its offset is below {@code from}.
     *
     * @return false, with the record passed by, if its offset is not below {@code end}
     */
    boolean addNext(RecordRunBuilder run, long from, long end) {
        if (addShort(run, from, end)) {
            return true;
        }
        try {
            int recordEnd = enter();
            if (offset < from || offset >= end) {
                bytes.position(recordEnd);
                leave(recordEnd);
                return offset < end;
            }
            int keyLength = parts.length(offset);
            int keyStart = bytes.position();
            bytes.position(keyStart + Math.max(keyLength, 0));
            int valueLength = parts.length(offset);
            int valueStart = bytes.position();
            bytes.position(valueStart + Math.max(valueLength, 0));
            parts.passHeaders(offset);
            leave(recordEnd);
            run.add(offset, appendTime(), keyStart, keyLength, valueStart, valueLength, recordEnd);
            return true;
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            throw malformed(e);
        }
    }

    /**
     * Takes the next record as most are: without headers, its key, timestamp and place told by few bytes. Of any other nothing is
     * done, and nothing is said about what may be wrong with it.
     */
    private boolean addShort(RecordRunBuilder run, long from, long end) {
        byte[] in = bytes.array();
        int start = bytes.position();
        if (bytes.remaining() < SHORT_HEAD) {
            return false;
        }
        int at = start;
        int length = in[at++];
        if (length < 0) {
            length = (length & 0x7f) | in[at++] << 7;
        }
        int recordEnd = at + (length >>> 1);
        at++; // attributes, of which none is known
        int delta = in[at++];
        int place = in[at++];
        if (place < 0) {
            place = (place & 0x7f) | in[at++] << 7;
        }
        int keyLength = in[at] >> 1;
        int keyStart = at + 1;
        if ((length | delta | place | keyLength) < 0
                || ((length | place | in[at]) & 1) != 0
                || recordEnd - keyStart - keyLength < 2
                || recordEnd > start + bytes.remaining()) {
            return false;
        }
        at = keyStart + keyLength;
        int valueLength = in[at++];
        if (valueLength < 0) {
            valueLength = (valueLength & 0x7f) | in[at++] << 7;
        }
        long next = baseOffset + (place >>> 1);
        if (valueLength < 0
                || (valueLength & 1) != 0
                || at + (valueLength >>> 1) != recordEnd - 1
                || in[recordEnd - 1] != 0
                || next <= offset
                || next > lastOffset
                || next < from
                || next >= end
                || (remaining == 1) != (recordEnd == start + bytes.remaining())) {
            return false;
        }
        remaining--;
        offset = next;
        int signed = (delta >>> 1) ^ -(delta & 1);
        timestampDelta = signed;
        bytes.position(recordEnd);
        run.add(next, appendTime(), keyStart, keyLength, at, valueLength >>> 1, recordEnd);
        return true;
    }

    private long appendTime() {
        return sameTimestamp ? timestamp : timestamp + timestampDelta;
    }

    /** The bytes that places of records are counted in. */
    byte[] array() {
        return bytes.array();
    }

    /** How many records follow. */
    int remaining() {
        return remaining;
    }

    /** The sequence of the next record, or null if it has none; keys and values are not copied. */
    @Nullable
    ProducerSequence nextSequence() {
        try {
            int end = enter();
            parts.pass(offset);
            parts.pass(offset);
            ProducerSequence sequence = ProducerSequence.in(parts.headers(offset));
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

    private MalformedBatchException malformed(RuntimeException cause) {
        MalformedBatchException malformed =
                new MalformedBatchException("records of the batch at offset " + baseOffset + " do not parse: " + cause);
        malformed.initCause(cause);
        return malformed;
    }
}
