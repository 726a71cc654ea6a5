package io.fluxmark.windows;

import java.util.HashMap;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The slots of any keys: a hash table with open addressing, whose entries are the hash and the slot in one long, so that
 * most look-ups read one line of it and the key. How far a key lies from its place is bounded; keys that collide beyond
 * that go to a {@code HashMap}, which keeps its own bounds then.
 */
final class HashedSlots<K> extends KeySlots<K> {

    private static final int FEWEST = 32;
    private static final int LONGEST_PROBE = 64;

    /** A power of two long; 0 is free, else the hash above the slot plus 1. At most 3/4 full. */
    private long[] table = new long[FEWEST];

    /** How many keys are in the table. */
    private int used;

    private @Nullable HashMap<K, Integer> overflow;

    /** For {@link #findAll}: by number of the key. */
    private final int[] hashes = new int[WindowLogic.CHUNK];

    private final long[] entries = new long[WindowLogic.CHUNK];

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
     * Puts the slots of the first {@code count} of {@code wanted}, or {@link #NONE}, into {@code found}. All first
     * places are read before any key is compared: no read waits for another one, nor for a branch that depends on it.
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
        return entry != 0 && (int) (entry >>> Integer.SIZE) == hash && key.equals(key((int) entry - 1));
    }

    private int place(int hash) {
        return (int) ((hash * 0x9E3779B97F4A7C15L) >>> (Long.numberOfLeadingZeros(table.length) + 1));
    }

    @Override
    void put(K key, int slot) {
        if (used * 4 >= table.length * 3) {
            grow();
        }
        if (!insert(key.hashCode(), slot)) {
            overflow(key, slot);
        }
    }

    private void overflow(K key, int slot) {
        if (overflow == null) {
            overflow = new HashMap<>();
        }
        overflow.put(key, slot);
    }

    private boolean insert(int hash, int slot) {
        int place = place(hash);
        for (int i = 0; i < LONGEST_PROBE; i++) {
            if (table[place] == 0) {
                table[place] = (long) hash << Integer.SIZE | (slot + 1);
                used++;
                return true;
            }
            place = (place + 1) & (table.length - 1);
        }
        return false;
    }

    private void grow() {
        long[] old = table;
        table = new long[old.length * 2];
        used = 0;
        for (long entry : old) {
            if (entry != 0) {
                int slot = (int) entry - 1;
                if (!insert((int) (entry >>> Integer.SIZE), slot)) {
                    overflow(key(slot), slot);
                }
            }
        }
    }

    @Override
    void remove(K key) {
        if (overflow != null && overflow.remove(key) != null) {
            return;
        }
        int mask = table.length - 1;
        int place = place(key.hashCode());
        while (!key.equals(key((int) table[place] - 1))) {
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
    void clear(int expected) {
        table = new long[Math.max(FEWEST, Integer.highestOneBit(Math.max(1, expected)) * 4)];
        used = 0;
        overflow = null;
    }
}
