package io.fluxmark.log;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/**
 * Reads on through bytes on the heap, as a {@link ByteBuffer} of them would, only faster: this is where a log is decoded. What
 * lies behind the limit is never read. Not thread-safe.
 */
final class ByteInput {

    private static final int MAX_INT_BYTES = 5;
    private static final int MAX_LONG_BYTES = 10;

    private final byte[] bytes;
    private final int limit;
    private int at;

    /** @param source from the position to the limit; copied where it is not on the heap */
    ByteInput(ByteBuffer source) {
        if (source.hasArray()) {
            bytes = source.array();
            at = source.arrayOffset() + source.position();
        } else {
            bytes = new byte[source.remaining()];
            source.duplicate().get(bytes);
        }
        limit = at + source.remaining();
    }

    /** Where the bytes are, which positions are counted in; only to be read. */
    byte[] array() {
        return bytes;
    }

    int position() {
        return at;
    }

    /** Goes on elsewhere, at most at the limit. */
    void position(int position) {
        if (position < 0 || position > limit) {
            throw new BufferUnderflowException();
        }
        at = position;
    }

    int remaining() {
        return limit - at;
    }

    byte get() {
        if (at >= limit) {
            throw new BufferUnderflowException();
        }
        return bytes[at++];
    }

    /** The next bytes, in an array of their own. */
    byte[] get(int length) {
        if (length > limit - at) {
            throw new BufferUnderflowException();
        }
        byte[] copy = new byte[length];
        System.arraycopy(bytes, at, copy, 0, length);
        at += length;
        return copy;
    }

    /** A zigzag variable-length integer that must fit an int, as {@link Varints#getInt} reads it. */
    int getVarint() {
        int start = at;
        if (limit - start > 1) {
            int low = bytes[start];
            if (low >= 0) {
                at = start + 1;
                return (low >>> 1) ^ -(low & 1);
            }
            int high = bytes[start + 1];
            if (high >= 0) {
                int zigzag = (low & 0x7f) | high << 7;
                at = start + 2;
                return (zigzag >>> 1) ^ -(zigzag & 1);
            }
        }
        long value = getLong(MAX_INT_BYTES);
        if (value != (int) value) {
            throw new MalformedBatchException("varint " + value + " does not fit an int");
        }
        return (int) value;
    }

    /** A zigzag variable-length integer, as {@link Varints#getLong} reads it. */
    long getVarlong() {
        if (at < limit && bytes[at] >= 0) {
            long zigzag = bytes[at++];
            return (zigzag >>> 1) ^ -(zigzag & 1);
        }
        return getLong(MAX_LONG_BYTES);
    }

    private long getLong(int maxBytes) {
        long zigzag = 0;
        for (int i = 0; i < maxBytes; i++) {
            byte b = get();
            zigzag |= (b & 0x7fL) << (7 * i);
            if (b >= 0) {
                return (zigzag >>> 1) ^ -(zigzag & 1);
            }
        }
        throw new MalformedBatchException("varint longer than " + maxBytes + " bytes");
    }
}
