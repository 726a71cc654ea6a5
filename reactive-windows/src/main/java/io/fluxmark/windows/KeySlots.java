package io.fluxmark.windows;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The keys of one lane and their slots: small numbers, from 0 on, that panes use as places in arrays. A key keeps its slot
 * as long as a pane holds something for it, and until {@link #part}; then the slot goes to another key. Confined to the lane.
 *
 * <p>A hash table with open addressing, whose entries are the hash and the slot in one long, so that most lookups read one
 * line of it and the key. How far a key lies from its place is bounded; keys that collide beyond that go to a {@code
 * HashMap}, which keeps its own bounds then.
 */
final class KeySlots<K> {

    /** No slot. */
    static final int NONE = -1;

    private static final int FEWEST = 16;
    private static final int FEWEST_TO_COMPACT = 64;
    private static final int LONGEST_PROBE = 64;

    /** A power of two long; 0 is free, else the hash above the slot plus 1. At most 3/4 full. */
    private long[] table = new long[FEWEST];

    private int tableSize;
    private @Nullable HashMap<K, Integer> overflow;

    /** By slot: the key, and how many panes hold something for it. */
    private @Nullable Object[] keys = new Object[FEWEST];

    private int[] holders = new int[FEWEST];

    /** Slots that have been given back. */
    private int[] free = new int[FEWEST];

    private int freeSize;
    private int bound;

    /** How often a slot has been taken from a key. */
    private long partings;

    /** For {@link #findAll}: by number of the key. */
    private final int[] hashes = new int[WindowLogic.CHUNK];

    private final long[] entries = new long[WindowLogic.CHUNK];

    /** Changes whenever a key loses its slot. */
    long partings() {
        return partings;
    }

    /** The slot of {@code key}, or {@link #NONE}. */
    int find(K key) {
        int hash = key.hashCode();
        int mask = table.length - 1;
        int place = place(hash);
        for (int i = 0; i < LONGEST_PROBE; i++) {
            long entry = table[place];
            if (entry == 0) {
                break;
            }
            if (isOf(entry, hash, key)) {
                return (int) entry - 1;
            }
            place = (place + 1) & mask;
        }
        return overflow == null ? NONE : overflow.getOrDefault(key, NONE);
    }

    /**
     * Puts the slots of the first {@code count} of {@code wanted}, or {@link #NONE}, into {@code found}. All first places
     * are read before any key is compared: no read waits for another one, nor for a branch that depends on it.
     *
     * @param count at most {@value WindowLogic#CHUNK}
     */
    void findAll(@Nullable Object[] wanted, int count, int[] found) {
        for (int i = 0; i < count; i++) {
            hashes[i] = Objects.requireNonNull(wanted[i], "key").hashCode();
            entries[i] = table[place(hashes[i])];
        }
        for (int i = 0; i < count; i++) {
            @SuppressWarnings("unchecked") // the caller's keys are of K
            K key = (K) Objects.requireNonNull(wanted[i], "key");
            found[i] = isOf(entries[i], hashes[i], key) ? (int) entries[i] - 1 : find(key);
        }
    }

    private boolean isOf(long entry, int hash, K key) {
        return entry != 0 && (int) (entry >>> Integer.SIZE) == hash && key.equals(keys[(int) entry - 1]);
    }

    private int place(int hash) {
        return (int) ((hash * 0x9E3779B97F4A7C15L) >>> (Long.numberOfLeadingZeros(table.length) + 1));
    }

    /** Gives {@code key}, which has none, a slot. */
    int assign(K key) {
        int slot = freeSize > 0 ? free[--freeSize] : bound++;
        if (slot == keys.length) {
            keys = Arrays.copyOf(keys, slot * 2);
            holders = Arrays.copyOf(holders, slot * 2);
        }
        keys[slot] = key;
        if (tableSize * 4 >= table.length * 3) {
            resize(table.length * 2);
        }
        insert(key.hashCode(), slot);
        return slot;
    }

    private void insert(int hash, int slot) {
        int place = place(hash);
        for (int i = 0; i < LONGEST_PROBE; i++) {
            if (table[place] == 0) {
                table[place] = (long) hash << Integer.SIZE | (slot + 1);
                tableSize++;
                return;
            }
            place = (place + 1) & (table.length - 1);
        }
        if (overflow == null) {
            overflow = new HashMap<>();
        }
        overflow.put(key(slot), slot);
    }

    private void resize(int length) {
        long[] old = table;
        table = new long[length];
        tableSize = 0;
        for (long entry : old) {
            if (entry != 0) {
                insert((int) (entry >>> Integer.SIZE), (int) entry - 1);
            }
        }
    }

    /** The key of a slot that is in use. */
    @SuppressWarnings("unchecked") // only keys of K are ever put in
    K key(int slot) {
        return (K) Objects.requireNonNull(keys[slot], "key");
    }

    /** One more pane holds something for the key of {@code slot}. */
    void retain(int slot) {
        holders[slot]++;
    }

    /** One pane less does; true where it was the last. */
    boolean release(int slot) {
        return --holders[slot] == 0;
    }

    /** Parts {@code slot} from its key, where no pane holds anything for it; whether it did. */
    boolean part(int slot) {
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

    private void remove(K key) {
        if (overflow != null && overflow.remove(key) != null) {
            return;
        }
        int mask = table.length - 1;
        int place = place(key.hashCode());
        while (!key.equals(keys[(int) table[place] - 1])) {
            place = (place + 1) & mask;
        }
        // What follows moves up, as far as its own place: no gap may part an entry from it.
        for (int next = (place + 1) & mask; table[next] != 0; next = (next + 1) & mask) {
            int home = place((int) (table[next] >>> Integer.SIZE));
            if (((next - home) & mask) >= ((next - place) & mask)) {
                table[place] = table[next];
                place = next;
            }
        }
        table[place] = 0;
        tableSize--;
    }

    /** The number of keys. */
    int size() {
        return bound - freeSize;
    }

    /** One more than the largest slot that has been given out. */
    int bound() {
        return bound;
    }

    /** Whether few slots are left of many. */
    boolean areSparse() {
        return bound >= FEWEST_TO_COMPACT && size() <= bound / 8;
    }

    /**
     * Numbers the slots anew, from 0 on.
     *
     * @return the new slot by the old one
     */
    int[] compact() {
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
        overflow = null;
        table = new long[length * 2];
        tableSize = 0;
        int oldBound = bound;
        bound = 0;
        for (int slot = 0; slot < oldBound; slot++) {
            Object key = oldKeys[slot];
            moved[slot] = NONE;
            if (key != null) {
                keys[bound] = key;
                holders[bound] = oldHolders[slot];
                insert(key.hashCode(), bound);
                moved[slot] = bound++;
            }
        }
        return moved;
    }
}
