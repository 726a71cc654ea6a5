package io.fluxmark.http;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/** The bytes of a body that have arrived. Not thread-safe: confined to the connection's event loop. */
final class BodyBuffer {

    private static final int FIRST = 64 << 10;

    private byte[] bytes;
    private int length;

    /** For a body of the announced length, or of an unknown one if negative. */
    BodyBuffer(int announced) {
        bytes = new byte[announced < 0 ? 0 : Math.min(announced, FIRST)];
    }

    /** Copies the chunk, which stays its owner's. */
    void append(ByteBuf chunk) {
        int count = chunk.readableBytes();
        int needed = length + count;
        if (needed > bytes.length) {
            bytes = Arrays.copyOf(bytes, (int) Math.max(needed, Math.min(2L * bytes.length, Integer.MAX_VALUE - 8L)));
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
