package io.fluxmark.windows;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The keys of one lane and their slots: small numbers, from 0 on, that panes use as places in arrays. A key keeps its slot
 * as long as a pane holds something for it, and until {@link #part}; then the slot goes to another key. Confined to the lane.
 */
abstract class KeySlots<K> {

    /** No slot. */
    static final int NONE = -1;

    private static final int FEWEST = 16;
    private static final int FEWEST_TO_COMPACT = 64;

    /** By slot: the key, and how many panes hold something for it. */
    private @Nullable Object[] keys = new Object[FEWEST];

    private int[] holders = new int[FEWEST];

    /** Slots that have been given back. */
    private int[] free = new int[FEWEST];

    private int freeSize;
    private int bound;

    /** How often a slot has been taken from a key. */
    private long partings;

    /** Changes whenever a key loses its slot. */
    final long partings() {
        return partings;
    }

    /** The slot of {@code key}, or {@link #NONE}. */
    abstract int find(K key);

    /** {@code key}, which has no slot, has {@code slot} from now on. */
    abstract void put(K key, int slot);

    /** {@code key} has no slot any more. */
    abstract void remove(K key);

    /** No key has a slot any more, and about {@code expected} will have one. */
    abstract void clear(int expected);

    /** Gives {@code key}, which has none, a slot. */
    final int assign(K key) {
        int slot = freeSize > 0 ? free[--freeSize] : bound++;
        if (slot == keys.length) {
            keys = Arrays.copyOf(keys, slot * 2);
            holders = Arrays.copyOf(holders, slot * 2);
        }
        keys[slot] = key;
        put(key, slot);
        return slot;
    }

    /** The key of a slot that is in use. */
    @SuppressWarnings("unchecked") // only keys of K are ever put in
    final K key(int slot) {
        return (K) Objects.requireNonNull(keys[slot], "key");
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
        if (slot >= bound || keys[slot] == null || holders[slot] > 0) {
            return false;
        }
        partings++;
        remove(key(slot));
        keys[slot] = null;
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
        partings++;
        int[] moved = new int[bound];
        @Nullable Object[] oldKeys = keys;
        int[] oldHolders = holders;
        int live = size();
        int length = Math.max(FEWEST, Integer.highestOneBit(Math.max(1, live)) * 2);
        keys = new Object[length];
        holders = new int[length];
        free = new int[FEWEST];
        freeSize = 0;
        clear(live);
        int oldBound = bound;
        bound = 0;
        for (int slot = 0; slot < oldBound; slot++) {
            moved[slot] = NONE;
            if (oldKeys[slot] != null) {
                keys[bound] = oldKeys[slot];
                holders[bound] = oldHolders[slot];
                put(key(bound), bound);
                moved[slot] = bound++;
            }
        }
        return moved;
    }
}
