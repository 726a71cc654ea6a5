package io.fluxmark.log;

import java.nio.ByteBuffer;

/** Collects whole batches for one write call: 1 MiB, or a single larger batch. Confined to the writer thread. */
final class WriteBuffer {

    private static final int CAPACITY = RecordLayout.BATCH_BYTES_LIMIT;

    /** Outside the heap, where the system can take it from without another copy. */
    private final ByteBuffer usual = ByteBuffer.allocateDirect(CAPACITY);

    private ByteBuffer current = usual;

    void clear() {
        current = usual.clear();
    }

    int size() {
        return current.position();
    }

    boolean fits(int bytes) {
        return bytes <= current.remaining();
    }

    /** A buffer positioned where the next {@code bytes} go; does not fit only when empty, then it is made to. */
    ByteBuffer reserve(int bytes) {
        if (!fits(bytes)) {
            current = ByteBuffer.allocate(bytes);
        }
        return current;
    }

    ByteBuffer flip() {
        return current.flip();
    }
}
