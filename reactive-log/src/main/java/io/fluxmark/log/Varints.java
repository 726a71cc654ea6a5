package io.fluxmark.log;

import java.nio.ByteBuffer;

/** Zigzag variable-length integers as in the Kafka and Protocol Buffers formats. Pure functions. */
final class Varints {

    private static final int MAX_INT_BYTES = 5;
    private static final int MAX_LONG_BYTES = 10;

    private Varints() {}

    static int sizeOf(long value) {
        long zigzag = (value << 1) ^ (value >> 63);
        if (zigzag >>> 7 == 0) {
            return 1;
        }
        return (70 - Long.numberOfLeadingZeros(zigzag)) / 7;
    }

    static void put(ByteBuffer target, long value) {
        long rest = (value << 1) ^ (value >> 63);
        while ((rest & ~0x7fL) != 0) {
            target.put((byte) ((rest & 0x7f) | 0x80));
            rest >>>= 7;
        }
        target.put((byte) rest);
    }

    /** Reads a value that must fit an int. */
    static int getInt(ByteBuffer source) {
        long value = get(source, MAX_INT_BYTES);
        if (value != (int) value) {
            throw new MalformedBatchException("varint " + value + " does not fit an int");
        }
        return (int) value;
    }

    static long getLong(ByteBuffer source) {
        return get(source, MAX_LONG_BYTES);
    }

    private static long get(ByteBuffer source, int maxBytes) {
        long zigzag = 0;
        for (int i = 0; i < maxBytes; i++) {
            byte b = source.get();
            zigzag |= (b & 0x7fL) << (7 * i);
            if (b >= 0) {
                return (zigzag >>> 1) ^ -(zigzag & 1);
            }
        }
        throw new MalformedBatchException("varint longer than " + maxBytes + " bytes");
    }
}
