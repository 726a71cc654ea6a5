package io.fluxmark.windows;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Byte strings with their length before them, an int; -1 stands for none. */
final class StateBytes {

    private StateBytes() {}

    /** The next string, which has to be there. */
    static byte[] next(ByteBuffer in) {
        byte[] bytes = nextOrNone(in);
        if (bytes == null) {
            throw new BufferUnderflowException();
        }
        return bytes;
    }

    /** The next string, or null for none. */
    static byte @Nullable [] nextOrNone(ByteBuffer in) {
        int length = in.getInt();
        if (length < -1 || length > in.remaining()) {
            throw new BufferUnderflowException();
        }
        if (length < 0) {
            return null;
        }
        byte[] bytes = new byte[length];
        in.get(bytes);
        return bytes;
    }

    /** What {@link #put} takes up. */
    static int size(byte @Nullable [] bytes) {
        return Integer.BYTES + (bytes == null ? 0 : bytes.length);
    }

    static void put(ByteBuffer out, byte @Nullable [] bytes) {
        out.putInt(bytes == null ? -1 : bytes.length);
        if (bytes != null) {
            out.put(bytes);
        }
    }
}
