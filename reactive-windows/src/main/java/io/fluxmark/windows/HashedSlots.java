package io.fluxmark.windows;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The slots of any keys: a hash table with open addressing, whose entries are the hash and the slot in one long, so that
 * most look-ups read one line of it and the key. How far a key lies from its place is bounded; keys that collide beyond
 * that go to a {@code HashMap}, which keeps its own bounds then.
 */
final class HashedSlots<K> extends KeySlots<K> {

    private static final int LONGEST_PROBE = 64;

    private final Comparator<K> order;

    /** By slot. */
    private @Nullable Object[] keys = new Object[FEWEST];

    /** A power of two long; 0 is free, else the hash above the slot plus 1. At most 3/4 full. */
    private long[] table = new long[FEWEST];

    /** How many keys are in the table. */
    private int used;

    private @Nullable HashMap<K, Integer> overflow;

    /** For {@link #findAll}: by number of the key. */
    private final int[] hashes = new int[WindowLogic.CHUNK];

    private final long[] entries = new long[WindowLogic.CHUNK];

    HashedSlots(Comparator<K> order) {
        this.order = order;
    }

    @Override
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

    @Override
    @SuppressWarnings("unchecked") // only keys of K are ever put in
    K key(int slot) {
        return (K) Objects.requireNonNull(keys[slot], "key");
    }

    @Override
    Object[] keys(int[] slots) {
        Object[] read = new Object[slots.length];
        for (int i = 0; i < slots.length; i++) {
            read[i] = key(slots[i]);
            Cache.touch(read[i]);
        }
        return read;
    }

    @Override
    int compare(int slot, int other) {
        return order.compare(key(slot), key(other));
    }

    @Override
    @SuppressWarnings("unchecked") // only keys of K are ever put in
    void sort(int[] slots, int count) {
        K[] sorted = (K[]) new Object[count];
        for (int i = 0; i < count; i++) {
            sorted[i] = key(slots[i]);
        }
        Arrays.sort(sorted, order);
        for (int i = 0; i < count; i++) {
            slots[i] = find(sorted[i]);
        }
    }

    @Override
    void grow(int length) {
        keys = Arrays.copyOf(keys, length);
    }

    @Override
    void put(K key, int slot) {
        keys[slot] = key;
        if (used * 4 >= table.length * 3) {
            growTable();
        }
        insert(key.hashCode(), slot);
    }

    private void insert(int hash, int slot) {
        int place = place(hash);
        for (int i = 0; i < LONGEST_PROBE; i++) {
            if (table[place] == 0) {
                table[place] = (long) hash << Integer.SIZE | (slot + 1);
                used++;
                return;
            }
            place = (place + 1) & (table.length - 1);
        }
        if (overflow == null) {
            overflow = new HashMap<>();
        }
        overflow.put(key(slot), slot);
    }

    private void growTable() {
        long[] old = table;
        table = new long[old.length * 2];
        used = 0;
        for (long entry : old) {
            if (entry != 0) {
                insert((int) (entry >>> Integer.SIZE), (int) entry - 1);
            }
        }
    }

    @Override
    void remove(int slot) {
        K key = key(slot);
        if (overflow == null || overflow.remove(key) == null) {
            removeFromTable(key.hashCode(), slot);
        }
        keys[slot] = null;
    }

    private void removeFromTable(int hash, int slot) {
        int mask = table.length - 1;
        int place = place(hash);
        while ((int) table[place] != slot + 1) {
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
        used--;
    }

    @Override
    void renumber(int[] moved, int length) {
        @Nullable Object[] old = keys;
        keys = new Object[length];
        table = new long[length * 2];
        used = 0;
        overflow = null;
        for (int slot = 0; slot < moved.length; slot++) {
            if (moved[slot] != NONE) {
                keys[moved[slot]] = old[slot];
                insert(key(moved[slot]).hashCode(), moved[slot]);
            }
        }
    }
}
