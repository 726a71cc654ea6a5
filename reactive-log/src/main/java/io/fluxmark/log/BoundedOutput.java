package io.fluxmark.log;

import java.io.OutputStream;

/** Collects at most as many bytes as the array has room for; tells afterwards whether there were more. Not thread-safe. */
final class BoundedOutput extends OutputStream {

    private final byte[] bytes;
    private int size;
    private boolean exceeded;

    BoundedOutput(byte[] bytes) {
        this.bytes = bytes;
    }

    /** How many bytes are in the array. */
    int size() {
        return size;
    }

    /** Whether something was left out. */
    boolean isExceeded() {
        return exceeded;
    }

    @Override
    public void write(int b) {
        if (exceeded || size == bytes.length) {
            exceeded = true;
        } else {
            bytes[size++] = (byte) b;
        }
    }

    @Override
    public void write(byte[] from, int offset, int length) {
        if (exceeded || length > bytes.length - size) {
            exceeded = true;
        } else {
            System.arraycopy(from, offset, bytes, size, length);
            size += length;
        }
    }
}
