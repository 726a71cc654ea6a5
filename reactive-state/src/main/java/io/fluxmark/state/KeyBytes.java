package io.fluxmark.state;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Order-preserving key encoding: comparing two encoded keys as unsigned bytes gives the order of their parts, compared
 * from left to right.
 *
 * <pre>
 * int, long   big-endian, sign bit flipped
 * byte        itself, unsigned
 * bytes       each 00 becomes 00 FF, then the terminator 00 01
 * string      its UTF-8 bytes, as above: ordered by code point
 * </pre>
 *
 * <p>Every part is self-delimiting, so no key of one shape is a prefix of another of the same shape. Not thread-safe.
 */
public final class KeyBytes {

    private static final byte ESCAPE = 0x00;
    private static final byte ESCAPED_ZERO = (byte) 0xFF;
    private static final byte TERMINATOR = 0x01;

    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private byte[] bytes = new byte[64];
    private int size;

    private KeyBytes() {}

    /** Starts an empty key. */
    public static KeyBytes key() {
        return new KeyBytes();
    }

    /** Appends one byte, ordered as unsigned. */
    public KeyBytes add(byte part) {
        reserve(1);
        bytes[size++] = part;
        return this;
    }

    /** Appends an int, ordered as signed. */
    public KeyBytes add(int part) {
        reserve(Integer.BYTES);
        INTS.set(bytes, size, part ^ Integer.MIN_VALUE);
        size += Integer.BYTES;
        return this;
    }

    /** Appends a long, ordered as signed. */
    public KeyBytes add(long part) {
        reserve(Long.BYTES);
        LONGS.set(bytes, size, part ^ Long.MIN_VALUE);
        size += Long.BYTES;
        return this;
    }

    /** Appends a byte string of any content, escaped and terminated. */
    public KeyBytes add(byte[] part) {
        reserve(2 * Objects.requireNonNull(part, "part").length + 2);
        for (byte b : part) {
            bytes[size++] = b;
            if (b == ESCAPE) {
                bytes[size++] = ESCAPED_ZERO;
            }
        }
        bytes[size++] = ESCAPE;
        bytes[size++] = TERMINATOR;
        return this;
    }

    /** Appends a string, ordered by code point. */
    public KeyBytes add(String part) {
        return add(Objects.requireNonNull(part, "part").getBytes(StandardCharsets.UTF_8));
    }

    /** Appends bytes as they are; only as the last part, because nothing marks their end. */
    public KeyBytes addRaw(byte[] part) {
        reserve(Objects.requireNonNull(part, "part").length);
        System.arraycopy(part, 0, bytes, size, part.length);
        size += part.length;
        return this;
    }

    /** The key built so far, in a new array. */
    public byte[] toBytes() {
        return Arrays.copyOf(bytes, size);
    }

    private void reserve(int more) {
        int needed = Math.addExact(size, more);
        if (needed > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(needed, 2 * bytes.length));
        }
    }

    /** Compares two keys in the order of the tables: as unsigned bytes, a prefix before its extensions. */
    public static int compare(byte[] one, byte[] two) {
        return Arrays.compareUnsigned(one, two);
    }

    /**
     * The end of the range of all keys that start with a prefix.
     *
     * @param prefix the common beginning
     * @return the smallest key greater than all of them, exclusive; null if there is none (the prefix is all FF)
     */
    public static byte @Nullable [] endOfPrefix(byte[] prefix) {
        int last = prefix.length - 1;
        while (last >= 0 && prefix[last] == (byte) 0xFF) {
            last--;
        }
        if (last < 0) {
            return null;
        }
        byte[] end = Arrays.copyOf(prefix, last + 1);
        end[last]++;
        return end;
    }

    /** The smallest key greater than the given one. */
    public static byte[] successor(byte[] key) {
        return Arrays.copyOf(key, key.length + 1);
    }
}
