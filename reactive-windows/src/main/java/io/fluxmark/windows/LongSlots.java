package io.fluxmark.windows;

import java.util.Arrays;
import java.util.HashMap;
import org.jspecify.annotations.Nullable;

/**
 * The slots of keys that are longs, in their order as numbers: a hash table with open addressing, whose entries are the key
 * and the slot, side by side, so that most look-ups read one line of it and nothing else. How far a key lies from its place
 * is bounded; keys that collide beyond that go to a {@code HashMap}, which keeps its own bounds then.
 */
final class LongSlots extends KeySlots<Long> {

    private static final int LONGEST_PROBE = 64;

    /** By slot. */
    private long[] keys = new long[FEWEST];

    /** Pairs of a key and its slot plus 1, or 0 where the place is free; a power of two long, at most 3/4 full. */
    private long[] table = new long[4 * FEWEST];

    /** How many keys are in the table. */
    private int used;

    private @Nullable HashMap<Long, Integer> overflow;

    @Override
    int find(Long key) {
        return find((long) key);
    }

    private int find(long key) {
        int mask = table.length - 1;
        int place = place(key);
        for (int i = 0; i < LONGEST_PROBE; i++) {
            long slot = table[place + 1];
            if (slot == 0) {
                break;
            }
            if (table[place] == key) {
                return (int) slot - 1;
            }
            place = (place + 2) & mask;
        }
        return overflow == null ? NONE : overflow.getOrDefault(key, NONE);
    }

    /** Puts the slots of the first {@code count} of {@code wanted}, or {@link #NONE}, into {@code found}. */
    void findAll(long[] wanted, int count, int[] found) {
        for (int i = 0; i < count; i++) {
            found[i] = find(wanted[i]);
        }
    }

    private int place(long key) {
        return (int) ((key * 0x9E3779B97F4A7C15L) >>> (Long.numberOfLeadingZeros(table.length) + 1)) & -2;
    }

    @Override
    Long key(int slot) {
        return keys[slot];
    }

    @Override
    Object[] keys(int[] slots) {
        Object[] read = new Object[slots.length];
        for (int i = 0; i < slots.length; i++) {
            read[i] = keys[slots[i]];
        }
        return read;
    }

    @Override
    int compare(int slot, int other) {
        return Long.compare(keys[slot], keys[other]);
    }

    @Override
    void sort(int[] slots, int count) {
        long[] sorted = new long[count];
        for (int i = 0; i < count; i++) {
            sorted[i] = keys[slots[i]];
        }
        Arrays.sort(sorted);
        for (int i = 0; i < count; i++) {
            slots[i] = find(sorted[i]);
        }
    }

    @Override
    void grow(int length) {
        keys = Arrays.copyOf(keys, length);
    }

    @Override
    void put(Long key, int slot) {
        keys[slot] = key;
        if (used * 8 >= table.length * 3) {
            growTable();
        }
        insert(key, slot);
    }

    private void insert(long key, int slot) {
        int place = place(key);
        for (int i = 0; i < LONGEST_PROBE; i++) {
            if (table[place + 1] == 0) {
                table[place] = key;
                table[place + 1] = slot + 1L;
                used++;
                return;
            }
            place = (place + 2) & (table.length - 1);
        }
        if (overflow == null) {
            overflow = new HashMap<>();
        }
        overflow.put(key, slot);
    }

    private void growTable() {
        long[] old = table;
        table = new long[old.length * 2];
        used = 0;
        for (int place = 0; place < old.length; place += 2) {
            if (old[place + 1] != 0) {
                insert(old[place], (int) old[place + 1] - 1);
            }
        }
    }

    @Override
    void remove(int slot) {
        long key = keys[slot];
        if (overflow == null || overflow.remove(key) == null) {
            removeFromTable(key, slot);
        }
    }

    private void removeFromTable(long key, int slot) {
        int mask = table.length - 1;
        int place = place(key);
        while (table[place + 1] != slot + 1) {
            place = (place + 2) & mask;
        }
        // What follows moves up, as far as its own place: no gap may part an entry from it.
        for (int next = (place + 2) & mask; table[next + 1] != 0; next = (next + 2) & mask) {
            int home = place(table[next]);
            if (((next - home) & mask) >= ((next - place) & mask)) {
                table[place] = table[next];
                table[place + 1] = table[next + 1];
                place = next;
            }
        }
        table[place + 1] = 0;
        used--;
    }

    @Override
    void renumber(int[] moved, int length) {
        long[] old = keys;
        keys = new long[length];
        table = new long[length * 4];
        used = 0;
        overflow = null;
        for (int slot = 0; slot < moved.length; slot++) {
            if (moved[slot] != NONE) {
                keys[moved[slot]] = old[slot];
                insert(old[slot], moved[slot]);
            }
        }
    }
}
