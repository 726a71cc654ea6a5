package io.fluxmark.log;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The last offset of each key, in bounded memory: the keys themselves one behind the other, so that no two keys are ever taken for
 * one, and an open-addressing table over them. Not thread-safe.
 */
final class KeyOffsets {

    /** The answer for a key that is not there. */
    static final long NONE = -1;

    /** Offset, hash, begin of the key, and two places of the table. */
    private static final int ENTRY_BYTES = Long.BYTES + 4 * Integer.BYTES;

    private static final int HASH_MULTIPLIER = 0x9E3779B9;
    private static final int MAX_BYTES = 1 << 30;

    private final long limit;
    private byte[] keys = new byte[1 << 10];
    private int keyBytes;
    /** For each key where it begins; behind the last one where that ends. */
    private int[] starts = new int[17];

    private int[] hashes = new int[16];
    private long[] offsets = new long[16];
    private int size;
    /** One more than the number of a key, 0 for none; a power of two, at most half full. */
    private int[] table = new int[32];

    /**
     * @param limit the bytes from which on it is full
     */
    KeyOffsets(long limit) {
        this.limit = Math.min(limit, MAX_BYTES);
    }

    /** How many keys there are. */
    int size() {
        return size;
    }

    /** Whether no more should be added; what is added all the same is there. */
    boolean isFull() {
        return keyBytes + (long) size * ENTRY_BYTES >= limit;
    }

    /** Notes the offset of a key, which is above all noted before. */
    void put(ByteBuffer bytes, int start, int length, long offset) {
        int hash = hash(bytes, start, length);
        int place = place(bytes, start, length, hash);
        if (table[place] != 0) {
            offsets[table[place] - 1] = offset;
            return;
        }
        makeRoom(length);
        bytes.get(start, keys, keyBytes, length);
        keyBytes += length;
        hashes[size] = hash;
        offsets[size] = offset;
        size++;
        starts[size] = keyBytes;
        table[place] = size;
        if (2 * size >= table.length) {
            growTable();
        }
    }

    /** The last offset noted of a key, or {@link #NONE}. */
    long get(ByteBuffer bytes, int start, int length) {
        int entry = table[place(bytes, start, length, hash(bytes, start, length))];
        return entry == 0 ? NONE : offsets[entry - 1];
    }

    private int place(ByteBuffer bytes, int start, int length, int hash) {
        int mask = table.length - 1;
        int place = spread(hash);
        while (table[place] != 0 && !isKey(table[place] - 1, bytes, start, length, hash)) {
            place = (place + 1) & mask;
        }
        return place;
    }

    private boolean isKey(int entry, ByteBuffer bytes, int start, int length, int hash) {
        if (hashes[entry] != hash || starts[entry + 1] - starts[entry] != length) {
            return false;
        }
        int from = starts[entry];
        for (int i = 0; i < length; i++) {
            if (keys[from + i] != bytes.get(start + i)) {
                return false;
            }
        }
        return true;
    }

    private void makeRoom(int length) {
        if (keys.length - keyBytes < length) {
            keys = Arrays.copyOf(
                    keys, (int) Math.min(Integer.MAX_VALUE - 8, Math.max(2L * keys.length, keyBytes + (long) length)));
        }
        if (size == offsets.length) {
            offsets = Arrays.copyOf(offsets, 2 * size);
            hashes = Arrays.copyOf(hashes, 2 * size);
            starts = Arrays.copyOf(starts, 2 * size + 1);
        }
    }

    private void growTable() {
        table = new int[2 * table.length];
        int mask = table.length - 1;
        for (int entry = 0; entry < size; entry++) {
            int place = spread(hashes[entry]);
            while (table[place] != 0) {
                place = (place + 1) & mask;
            }
            table[place] = entry + 1;
        }
    }

    /** The upper bits of a product: keys of one partition have the lower bits of many a hash in common. */
    private int spread(int hash) {
        return (hash * HASH_MULTIPLIER) >>> (Integer.numberOfLeadingZeros(table.length) + 1);
    }

    private static int hash(ByteBuffer bytes, int start, int length) {
        int hash = length;
        for (int i = 0; i < length; i++) {
            hash = 31 * hash + bytes.get(start + i);
        }
        return hash;
    }
}
