package io.fluxmark.windows;

import java.util.Arrays;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Something for each of some slots, in arrays that a subclass has. Where there is something for many of the slots in use,
 * the slot is the place in the arrays; where for few, they are a hash table with open addressing. Confined to the lane.
 */
abstract class SlotTable {

    /** No place. */
    static final int NOWHERE = -1;

    private static final int FEWEST = 16;

    /** A table with something for every so many slots has a place for every slot. */
    private static final int DENSE = 4;

    /** By place: the slot plus 1, or 0 where the place is free; null where the slot is the place. */
    private int @Nullable [] slots;

    /** How many places there are. */
    private int places;

    private int size;

    /** Places in use, of a hash table: those that hold nothing any more too. */
    private int used;

    /**
     * An empty table.
     *
     * @param expected about for how many slots there will be something
     * @param slotBound one more than the largest slot in use
     */
    SlotTable(int expected, int slotBound) {
        layOut(expected, slotBound);
    }

    private void layOut(int entries, int slotBound) {
        boolean dense = slotBound <= Math.max(FEWEST, (long) DENSE * entries);
        places = placesFor(dense ? slotBound : 2 * entries);
        slots = dense ? null : new int[places];
    }

    private static int placesFor(int least) {
        return least <= FEWEST ? FEWEST : Integer.highestOneBit(least - 1) * 2;
    }

    /** How many places the arrays are to have. */
    final int places() {
        return places;
    }

    /** Whether there is something at {@code place}. */
    abstract boolean holds(int place);

    /** The arrays get {@code length} places; what was at {@code place} goes to {@code to[place]}. */
    abstract void move(int length, int[] to);

    /** A place where there may be something for {@code slot}: nowhere else there is; or {@link #NOWHERE}. */
    final int placeOf(int slot) {
        if (slots == null) {
            return slot < places ? slot : NOWHERE;
        }
        return place(slots, slot);
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

    /** Whether there is something for {@code slot}. */
    final boolean has(int slot) {
        int place = placeOf(slot);
        return place != NOWHERE && holds(place);
    }

    /** A place for {@code slot}, for which there is nothing; something has to be put there. */
    final int insert(int slot, int slotBound) {
        if (slots == null ? slot >= places : 2 * used >= places) {
            rebuild(slotBound, null);
        }
        int place = placeOf(slot);
        if (slots != null && slots[place] == 0) {
            slots[place] = slot + 1;
            used++;
        }
        size++;
        return place;
    }

    /** What is at a place is about to go. */
    final void removed() {
        size--;
    }

    /** The slots have new numbers. */
    final void renumber(int[] moved, int slotBound) {
        rebuild(slotBound, moved);
    }

    private void rebuild(int slotBound, int @Nullable [] moved) {
        int[] held = new int[places];
        Arrays.fill(held, NOWHERE);
        forEachPlace((place, slot) -> held[place] = moved == null ? slot : moved[slot]);
        layOut(size + 1, slotBound);
        for (int place = 0; place < held.length; place++) {
            int slot = held[place];
            if (slot != NOWHERE) {
                int to = placeOf(slot);
                if (slots != null) {
                    slots[to] = slot + 1;
                }
                held[place] = to;
            }
        }
        move(places, held);
        used = size;
    }

    /** For how many slots there is something. */
    final int size() {
        return size;
    }

    /** Calls {@code action} with every slot for which there is something. */
    final void forEachSlot(IntConsumer action) {
        forEachPlace((place, slot) -> action.accept(slot));
    }

    private void forEachPlace(PlaceAndSlot action) {
        for (int place = 0; place < places; place++) {
            if (holds(place)) {
                action.accept(place, slots == null ? place : slots[place] - 1);
            }
        }
    }

    private interface PlaceAndSlot {
        void accept(int place, int slot);
    }
}
