package io.fluxmark.state;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Entries in the order of their keys, side by side in a few large arrays. What waits a second for its commit is copied again and
 * again by the collector, and so is cheaper as a few thousand objects than as millions. Keys and values that are handed out are
 * copies. Not thread-safe.
 */
final class PackedEntries {

    private static final int FIRST_ROOM = 16;
    private static final int SMALLEST_BLOCK = 1 << 10;

    /** Far below what a collector treats as an object of extraordinary size. */
    private static final int LARGEST_BLOCK = 1 << 16;

    private List<byte[]> blocks = new ArrayList<>();

    /** Of the last block. */
    private int used;

    /** Of each entry the number of its block, and in the lower half where its key begins there; its value follows. */
    private long[] places = new long[FIRST_ROOM];

    private int[] keyLengths = new int[FIRST_ROOM];

    /** -1 where there is no value. */
    private int[] valueLengths = new int[FIRST_ROOM];

    private int size;
    private long live;

    /** Bytes of blocks in which no entry is any more. */
    private long lost;

    int size() {
        return size;
    }

    /** Adds an entry whose key is above all others. */
    void append(byte[] key, byte @Nullable [] value) {
        append(key, value, value == null ? 0 : value.length);
        valueLengths[size - 1] = value == null ? -1 : value.length;
    }

    /** The same with the frame of a row, which is made where it lies. */
    void appendRow(byte[] key, int lane, long transaction, byte[] value) {
        append(key, null, ValueFrame.rowLength(value));
        int last = size - 1;
        ValueFrame.writeRow(block(last), start(last), key.length, lane, transaction, value);
    }

    private void append(byte[] key, byte @Nullable [] value, int valueLength) {
        if (size == places.length) {
            places = Arrays.copyOf(places, 2 * size);
            keyLengths = Arrays.copyOf(keyLengths, 2 * size);
            valueLengths = Arrays.copyOf(valueLengths, 2 * size);
        }
        places[size] = store(key, value, valueLength);
        keyLengths[size] = key.length;
        valueLengths[size] = valueLength;
        live += length(size);
        size++;
    }

    private long store(byte[] key, byte @Nullable [] value, int valueLength) {
        int length = key.length + valueLength;
        int last = blocks.size() - 1;
        if (last < 0 || blocks.get(last).length - used < length) {
            int next = last < 0 ? SMALLEST_BLOCK : Math.min(LARGEST_BLOCK, 2 * blocks.get(last).length);
            blocks.add(new byte[Math.max(next, length)]);
            last++;
            used = 0;
        }
        byte[] block = blocks.get(last);
        System.arraycopy(key, 0, block, used, key.length);
        if (value != null) {
            System.arraycopy(value, 0, block, used + key.length, value.length);
        }
        long place = ((long) last << Integer.SIZE) | used;
        used += length;
        return place;
    }

    private byte[] block(int i) {
        return blocks.get((int) (places[i] >>> Integer.SIZE));
    }

    private int start(int i) {
        return (int) places[i];
    }

    /** The bytes of an entry. */
    private int length(int i) {
        return keyLengths[i] + valueLength(i);
    }

    /** 0 where there is none. */
    int valueLength(int i) {
        return Math.max(0, valueLengths[i]);
    }

    int keyLength(int i) {
        return keyLengths[i];
    }

    byte[] key(int i) {
        return Arrays.copyOfRange(block(i), start(i), start(i) + keyLengths[i]);
    }

    byte @Nullable [] value(int i) {
        int from = start(i) + keyLengths[i];
        return valueLengths[i] < 0 ? null : Arrays.copyOfRange(block(i), from, from + valueLengths[i]);
    }

    /** Replaces the value of an entry. */
    void set(int i, byte @Nullable [] value) {
        live -= length(i);
        if (value == null || value.length <= valueLengths[i]) {
            int left = value == null ? 0 : value.length;
            lost += valueLength(i) - left;
            if (value != null) {
                System.arraycopy(value, 0, block(i), start(i) + keyLengths[i], left);
            }
        } else {
            lost += length(i);
            places[i] = store(key(i), value, value.length);
        }
        valueLengths[i] = value == null ? -1 : value.length;
        live += length(i);
        packIfSparse();
    }

    /** Removes the entries of {@code [from, to)}. */
    void remove(int from, int to) {
        for (int i = from; i < to; i++) {
            live -= length(i);
            lost += length(i);
        }
        System.arraycopy(places, to, places, from, size - to);
        System.arraycopy(keyLengths, to, keyLengths, from, size - to);
        System.arraycopy(valueLengths, to, valueLengths, from, size - to);
        size -= to - from;
        packIfSparse();
    }

    /** Otherwise a value that is replaced by ever longer ones would fill the heap. */
    private void packIfSparse() {
        if (lost <= live + LARGEST_BLOCK) {
            return;
        }
        PackedEntries packed = new PackedEntries();
        for (int i = 0; i < size; i++) {
            packed.append(key(i), value(i));
        }
        blocks = packed.blocks;
        used = packed.used;
        places = packed.places;
        keyLengths = packed.keyLengths;
        valueLengths = packed.valueLengths;
        lost = 0;
    }

    /** The place of a key, or as {@link Arrays#binarySearch} says where it would be. The end is looked at first. */
    int find(byte[] key) {
        int low = 0;
        int high = size - 1;
        int middle = high;
        while (low <= high) {
            int order = compare(middle, key);
            if (order == 0) {
                return middle;
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
            middle = (low + high) >>> 1;
        }
        return -low - 1;
    }

    /** How the key of an entry compares to another. */
    int compare(int i, byte[] key) {
        int start = start(i);
        return Arrays.compareUnsigned(block(i), start, start + keyLengths[i], key, 0, key.length);
    }
}
