package io.fluxmark.benchmarks;

import java.util.Arrays;

/** An open-addressing table from a key to count, sum and maximum: four longs a slot, a count of 0 marks a free one. */
final class PrimitiveTable {

    private static final int SLOT = 4;
    private static final int COUNT = 1;
    private static final int SUM = 2;
    private static final int MAX = 3;

    /** The start of the span that the table is used for, epoch ms. */
    long start;

    private long[] slots = new long[SLOT << 15];
    private int size;

    void add(long key, long count, long sum, long max) {
        int mask = slots.length / SLOT - 1;
        int slot = (int) ((key * 0x9E3779B97F4A7C15L) >>> 40) & mask;
        for (; ; slot = (slot + 1) & mask) {
            int at = slot * SLOT;
            if (slots[at + COUNT] == 0) {
                if (size * 2 > mask) {
                    grow();
                    add(key, count, sum, max);
                    return;
                }
                size++;
                slots[at] = key;
                slots[at + COUNT] = count;
                slots[at + SUM] = sum;
                slots[at + MAX] = max;
                return;
            }
            if (slots[at] == key) {
                slots[at + COUNT] += count;
                slots[at + SUM] += sum;
                if (max > slots[at + MAX]) {
                    slots[at + MAX] = max;
                }
                return;
            }
        }
    }

    private void grow() {
        long[] old = slots;
        slots = new long[old.length * 2];
        size = 0;
        for (int at = 0; at < old.length; at += SLOT) {
            if (old[at + COUNT] != 0) {
                add(old[at], old[at + COUNT], old[at + SUM], old[at + MAX]);
            }
        }
    }

    /** Adds all entries to {@code other}. */
    void addTo(PrimitiveTable other) {
        for (int at = 0; at < slots.length; at += SLOT) {
            if (slots[at + COUNT] != 0) {
                other.add(slots[at], slots[at + COUNT], slots[at + SUM], slots[at + MAX]);
            }
        }
    }

    /** Gives all entries to {@code tally} as results of the window that starts at {@code windowStart}. */
    void addTo(Tally tally, long windowStart) {
        for (int at = 0; at < slots.length; at += SLOT) {
            if (slots[at + COUNT] != 0) {
                tally.add(slots[at], windowStart, slots[at + COUNT], slots[at + SUM], slots[at + MAX]);
            }
        }
    }

    void clear() {
        Arrays.fill(slots, 0);
        size = 0;
    }
}
