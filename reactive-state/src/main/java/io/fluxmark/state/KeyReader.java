package io.fluxmark.state;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;

/** Takes the parts of a key built with {@link KeyBytes} in the order they were added. Not thread-safe. */
public final class KeyReader {

    private final byte[] key;
    private int at;

    /** Reads from the first byte of the key, which must not change meanwhile. */
    public KeyReader(byte[] key) {
        this.key = Objects.requireNonNull(key, "key");
    }

    /** The next byte. */
    public byte readByte() {
        need(1);
        return key[at++];
    }

    /** The next int. */
    public int readInt() {
        return (int) readBigEndian(4) ^ Integer.MIN_VALUE;
    }

    /** The next long. */
    public long readLong() {
        return readBigEndian(8) ^ Long.MIN_VALUE;
    }

    /** The next byte string, without escapes. */
    public byte[] readBytes() {
        ByteArrayOutputStream out = new ByteArrayOutputStream(key.length - at);
        while (true) {
            need(1);
            byte b = key[at++];
            out.write(b);
            if (b == 0) {
                need(1);
                byte mark = key[at++];
                if (mark == 1) {
                    return Arrays.copyOf(out.toByteArray(), out.size() - 1);
                }
                if (mark != (byte) 0xFF) {
                    throw malformed();
                }
            }
        }
    }

    /** The next string. */
    public String readString() {
        return new String(readBytes(), StandardCharsets.UTF_8);
    }

    /** Everything not read yet, as it is. */
    public byte[] readRest() {
        byte[] rest = Arrays.copyOfRange(key, at, key.length);
        at = key.length;
        return rest;
    }

    /** Whether all parts have been read. */
    public boolean atEnd() {
        return at == key.length;
    }

    private long readBigEndian(int count) {
        need(count);
        long result = 0;
        for (int i = 0; i < count; i++) {
            result = result << 8 | (key[at++] & 0xFF);
        }
        return result;
    }

    private void need(int count) {
        if (key.length - at < count) {
            throw malformed();
        }
    }

    private StateStoreException malformed() {
        return new StateStoreException("Key " + HexFormat.of().formatHex(key) + " has no readable part at byte " + at
                + "; read the parts in the order and with the types they were added");
    }
}
