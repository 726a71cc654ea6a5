package io.fluxmark.windows;

import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Something for each of some slots. Where there is something for many of the slots in use, the slot is the place in the
 * arrays; where for few, they are a hash table with open addressing. Confined to the lane.
 */
class SlotTable<A> {

    private static final int FEWEST = 16;

    /** A table with something for every so many slots has a place for every slot. */
    private static final int DENSE = 4;

    private final boolean counting;
    private @Nullable Object[] accumulators;

    /** By place: the slot plus 1, or 0 where the place is free; null where the slot is the place. */
    private int @Nullable [] slots;

    /** By place: additions less retractions; null where nothing is ever retracted. */
    private long @Nullable [] counts;

    private int size;

    /** Places in use, of a hash table: those whose accumulator has gone too. */
    private int used;

    /**
     * An empty table.
     *
     * @param counting whether retractions are to be counted
     * @param expected about for how many slots there will be something
     * @param slotBound one more than the largest slot in use
     */
    SlotTable(boolean counting, int expected, int slotBound) {
        this.counting = counting;
        boolean dense = isDense(expected, slotBound);
        int places = placesFor(dense ? slotBound : 2 * expected);
        this.accumulators = new Object[places];
        this.slots = dense ? null : new int[places];
        this.counts = counting ? new long[places] : null;
    }

    private static boolean isDense(int entries, int slotBound) {
        return slotBound <= Math.max(FEWEST, (long) DENSE * entries);
    }

    private static int placesFor(int least) {
        return least <= FEWEST ? FEWEST : Integer.highestOneBit(least - 1) * 2;
    }

    /** What there is for {@code slot}, or null. */
    @SuppressWarnings("unchecked") // only accumulators are ever put in
    @Nullable
    A get(int slot) {
        if (slots == null) {
            return slot < accumulators.length ? (A) accumulators[slot] : null;
        }
        return (A) accumulators[place(slots, slot)];
    }

    /** Puts what there is for each of {@code wanted}, or null, into {@code found}, read and so close at hand. */
    void gather(int[] wanted, @Nullable A[] found) {
        for (int i = 0; i < wanted.length; i++) {
            A accumulator = get(wanted[i]);
            found[i] = accumulator;
            Cache.touch(accumulator);
        }
    }

    /** The place of {@code slot} in a hash table: where it is, or where it would be put. */
    private static int place(int[] slots, int slot) {
        int mask = slots.length - 1;
        int place = (slot * 0x9E3779B9) >>> Integer.numberOfLeadingZeros(mask);
        while (slots[place] != 0 && slots[place] != slot + 1) {
            place = (place + 1) & mask;
        }
        return place;
    }

    private int place(int slot) {
        return slots == null ? slot : place(slots, slot);
    }

    /** Replaces what there is for {@code slot}. */
    void replace(int slot, A accumulator) {
        accumulators[place(slot)] = accumulator;
    }

    /** Adds what there is to be for {@code slot}, for which there is nothing. */
    void add(int slot, A accumulator, int slotBound) {
        if (slots == null ? slot >= accumulators.length : 2 * used >= slots.length) {
            rebuild(slotBound);
        }
        int place = place(slot);
        if (slots != null && slots[place] == 0) {
            slots[place] = slot + 1;
            used++;
        }
        accumulators[place] = accumulator;
        size++;
    }

    private void rebuild(int slotBound) {
        rebuild(slotBound, null);
    }

    /** The slots have new numbers. */
    void renumber(int[] moved, int slotBound) {
        rebuild(slotBound, moved);
    }

    private void rebuild(int slotBound, int @Nullable [] moved) {
        SlotTable<A> other = new SlotTable<>(counting, size + 1, slotBound);
        for (int place = 0; place < accumulators.length; place++) {
            Object accumulator = accumulators[place];
            if (accumulator != null) {
                int slot = slots == null ? place : slots[place] - 1;
                int to = other.place(moved == null ? slot : moved[slot]);
                other.accumulators[to] = accumulator;
                if (other.slots != null) {
                    other.slots[to] = (moved == null ? slot : moved[slot]) + 1;
                }
                if (other.counts != null && counts != null) {
                    other.counts[to] = counts[place];
                }
            }
        }
        accumulators = other.accumulators;
        slots = other.slots;
        counts = other.counts;
        used = size;
    }

    /** Counts an event for {@code slot}, for which there is something; returns how many there are now. */
    long count(int slot, int sign) {
        if (counts == null) {
            return 1;
        }
        counts[place(slot)] += sign;
        return counts[place(slot)];
    }

    /** Forgets what there is for {@code slot}. */
    void remove(int slot) {
        accumulators[place(slot)] = null;
        size--;
    }

    /** For how many slots there is something. */
    int size() {
        return size;
    }

    /** Calls {@code action} with every slot for which there is something. */
    void forEachSlot(IntConsumer action) {
        for (int place = 0; place < accumulators.length; place++) {
            if (accumulators[place] != null) {
                action.accept(slots == null ? place : slots[place] - 1);
            }
        }
    }
}
