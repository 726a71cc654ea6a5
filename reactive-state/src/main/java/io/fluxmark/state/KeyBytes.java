package io.fluxmark.state;

import java.io.ByteArrayOutputStream;
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

    private static final int ESCAPE = 0x00;
    private static final int ESCAPED_ZERO = 0xFF;
    private static final int TERMINATOR = 0x01;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream(32);

    private KeyBytes() {}

    /** Starts an empty key. */
    public static KeyBytes key() {
        return new KeyBytes();
    }

    /** Appends one byte, ordered as unsigned. */
    public KeyBytes add(byte part) {
        out.write(part);
        return this;
    }

    /** Appends an int, ordered as signed. */
    public KeyBytes add(int part) {
        int flipped = part ^ Integer.MIN_VALUE;
        for (int shift = 24; shift >= 0; shift -= 8) {
            out.write(flipped >>> shift);
        }
        return this;
    }

    /** Appends a long, ordered as signed. */
    public KeyBytes add(long part) {
        long flipped = part ^ Long.MIN_VALUE;
        for (int shift = 56; shift >= 0; shift -= 8) {
            out.write((int) (flipped >>> shift));
        }
        return this;
    }

    /** Appends a byte string of any content, escaped and terminated. */
    public KeyBytes add(byte[] part) {
        for (byte b : Objects.requireNonNull(part, "part")) {
            out.write(b);
            if (b == ESCAPE) {
                out.write(ESCAPED_ZERO);
            }
        }
        out.write(ESCAPE);
        out.write(TERMINATOR);
        return this;
    }

    /** Appends a string, ordered by code point. */
    public KeyBytes add(String part) {
        return add(Objects.requireNonNull(part, "part").getBytes(StandardCharsets.UTF_8));
    }

    /** Appends bytes as they are; only as the last part, because nothing marks their end. */
    public KeyBytes addRaw(byte[] part) {
        out.writeBytes(Objects.requireNonNull(part, "part"));
        return this;
    }

    /** The key built so far, in a new array. */
    public byte[] toBytes() {
        return out.toByteArray();
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
