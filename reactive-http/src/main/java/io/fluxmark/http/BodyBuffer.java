package io.fluxmark.http;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/** The bytes of a body that have arrived. Not thread-safe: confined to the connection's event loop. */
final class BodyBuffer {

    private static final int FIRST = 64 << 10;

    private final int expected;
    private byte[] bytes;
    private int length;

    /**
     * @param announced the announced length, or a negative number if there is none
     * @param limit the most bytes there will be, at least {@code announced}
     */
    BodyBuffer(int announced, int limit) {
        expected = announced < 0 ? limit : announced;
        bytes = new byte[Math.min(expected, FIRST)];
    }

    /** Copies the chunk, which stays its owner's. */
    void append(ByteBuf chunk) {
        int count = chunk.readableBytes();
        int needed = length + count;
        if (needed > bytes.length) {
            bytes = Arrays.copyOf(bytes, (int) Math.max(needed, Math.min(2L * bytes.length, expected)));
        }
        chunk.getBytes(chunk.readerIndex(), bytes, length, count);
        length = needed;
    }

    /** The backing array; only the first {@link #length()} bytes count. */
    byte[] array() {
        return bytes;
    }

    int length() {
        return length;
    }
}
