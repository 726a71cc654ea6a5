package io.fluxmark.windows;

import java.util.HashMap;
import org.jspecify.annotations.Nullable;

/**
 * The slots of keys that are longs: a hash table with open addressing, whose entries are the key and the slot, side by side,
 * so that most look-ups read one line of it and nothing else. How far a key lies from its place is bounded; keys that
 * collide beyond that go to a {@code HashMap}, which keeps its own bounds then.
 */
final class LongSlots extends KeySlots<Long> {

    private static final int FEWEST = 64;
    private static final int LONGEST_PROBE = 64;

    /** Pairs of a key and its slot plus 1, or 0 where the place is free; a power of two long, at most 3/4 full. */
    private long[] table = new long[FEWEST];

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
    void put(Long key, int slot) {
        if (used * 8 >= table.length * 3) {
            grow();
        }
        insert(key, slot + 1);
    }

    private void insert(long key, long slotPlusOne) {
        int place = place(key);
        for (int i = 0; i < LONGEST_PROBE; i++) {
            if (table[place + 1] == 0) {
                table[place] = key;
                table[place + 1] = slotPlusOne;
                used++;
                return;
            }
            place = (place + 2) & (table.length - 1);
        }
        if (overflow == null) {
            overflow = new HashMap<>();
        }
        overflow.put(key, (int) slotPlusOne - 1);
    }

    private void grow() {
        long[] old = table;
        table = new long[old.length * 2];
        used = 0;
        for (int place = 0; place < old.length; place += 2) {
            if (old[place + 1] != 0) {
                insert(old[place], old[place + 1]);
            }
        }
    }

    @Override
    void remove(Long key) {
        if (overflow != null && overflow.remove(key) != null) {
            return;
        }
        int mask = table.length - 1;
        int place = place(key);
        while (table[place] != key || table[place + 1] == 0) {
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
    void clear(int expected) {
        table = new long[Math.max(FEWEST, Integer.highestOneBit(Math.max(1, expected)) * 8)];
        used = 0;
        overflow = null;
    }
}
