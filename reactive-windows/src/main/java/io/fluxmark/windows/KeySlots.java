package io.fluxmark.windows;

import java.util.Arrays;

/**
 * The keys of one lane and their slots: small numbers, from 0 on, that panes use as places in arrays. A key keeps its slot
 * as long as a pane holds something for it, and until {@link #part}; then the slot goes to another key. Confined to the lane.
 */
abstract class KeySlots<K> {

    /** No slot. */
    static final int NONE = -1;

    static final int FEWEST = 16;
    private static final int FEWEST_TO_COMPACT = 64;

    /** What has no key has so many holders. */
    private static final int NO_KEY = -1;

    /** By slot: how many panes hold something for its key. */
    private int[] holders = new int[FEWEST];

    /** Slots that have been given back. */
    private int[] free = new int[FEWEST];

    private int freeSize;
    private int bound;

    /** How often a slot has been taken from a key. */
    private long partings;

    /** The slot of {@code key}, or {@link #NONE}. */
    abstract int find(K key);

    /** The key of a slot that is in use. */
    abstract K key(int slot);

    /** The keys of some slots that are in use, read and so close at hand. */
    abstract Object[] keys(int[] slots);

    /** How the keys of two slots that are in use are ordered. */
    abstract int compare(int slot, int other);

    /** Sorts the first {@code count} of {@code slots}, all in use, by their keys. */
    abstract void sort(int[] slots, int count);

    /** There are {@code length} slots from now on, which is more. */
    abstract void grow(int length);

    /** {@code key}, which has no slot, has {@code slot} from now on. */
    abstract void put(K key, int slot);

    /** The key of {@code slot} has none any more. */
    abstract void remove(int slot);

    /** There are {@code length} slots from now on; the key of {@code slot} has {@code moved[slot]}, or {@link #NONE}. */
    abstract void renumber(int[] moved, int length);

    /** Changes whenever a key loses its slot. */
    final long partings() {
        return partings;
    }

    /** Gives {@code key}, which has none, a slot. */
    final int assign(K key) {
        int slot = freeSize > 0 ? free[--freeSize] : bound++;
        if (slot == holders.length) {
            holders = Arrays.copyOf(holders, slot * 2);
            grow(slot * 2);
        }
        holders[slot] = 0;
        put(key, slot);
        return slot;
    }

    /** Whether a key has {@code slot}. */
    final boolean isUsed(int slot) {
        return slot < bound && holders[slot] != NO_KEY;
    }

    /** One more pane holds something for the key of {@code slot}. */
    final void retain(int slot) {
        holders[slot]++;
    }

    /** One pane less does; true where it was the last. */
    final boolean release(int slot) {
        return --holders[slot] == 0;
    }

    /** Parts {@code slot} from its key, where no pane holds anything for it; whether it did. */
    final boolean part(int slot) {
        if (slot >= bound || holders[slot] != 0) {
            return false;
        }
        partings++;
        remove(slot);
        holders[slot] = NO_KEY;
        if (freeSize == free.length) {
            free = Arrays.copyOf(free, freeSize * 2);
        }
        free[freeSize++] = slot;
        return true;
    }

    /** The number of keys. */
    final int size() {
        return bound - freeSize;
    }

    /** One more than the largest slot that has been given out. */
    final int bound() {
        return bound;
    }

    /** Whether few slots are left of many. */
    final boolean areSparse() {
        return bound >= FEWEST_TO_COMPACT && size() <= bound / 8;
    }

    /**
     * Numbers the slots anew, from 0 on.
     *
     * @return the new slot by the old one
     */
    final int[] compact() {
        int[] moved = new int[bound];
        int[] old = holders;
        holders = new int[Math.max(FEWEST, Integer.highestOneBit(Math.max(1, size())) * 2)];
        bound = 0;
        for (int slot = 0; slot < moved.length; slot++) {
            moved[slot] = NONE;
            if (old[slot] != NO_KEY) {
                holders[bound] = old[slot];
                moved[slot] = bound++;
            }
        }
        free = new int[FEWEST];
        freeSize = 0;
        partings++;
        renumber(moved, holders.length);
        return moved;
    }

    /** Parts all slots from their keys. */
    final void clear() {
        bound = 0;
        freeSize = 0;
        partings++;
        if (holders.length > FEWEST) {
            holders = new int[FEWEST];
            free = new int[FEWEST];
        }
        renumber(new int[0], FEWEST);
    }
}
