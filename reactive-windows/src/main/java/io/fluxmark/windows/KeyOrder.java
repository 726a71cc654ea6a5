package io.fluxmark.windows;

import java.util.Arrays;

/**
 * The slots of a window that fires in the order of their keys. Keys mostly stay from window to window: all keys of the lane
 * are kept in order, and only those that have come since are sorted, and merged into the rest. Where the window has few of
 * the lane's keys, those are sorted instead.
 */
final class KeyOrder {

    private static final int FEWEST = 16;

    /** A window with fewer than one in so many keys has few of them. */
    private static final int FEW = 4;

    private final KeySlots<?> slots;

    private int[] sorted = new int[FEWEST];
    private int size;

    /** By slot: whether its place among the sorted is that of the key that has the slot now. */
    private boolean[] placed = new boolean[FEWEST];

    /** Slots that keys have been given since; some have gone again, or been given to others. */
    private int[] fresh = new int[FEWEST];

    private int freshSize;

    /** What is walked over: all that are sorted, or the few of a window. */
    private int[] walk = sorted;

    private int walkSize;

    KeyOrder(KeySlots<?> slots) {
        this.slots = slots;
    }

    /** A key has been given {@code slot}. */
    void add(int slot) {
        if (slot >= placed.length) {
            placed = Arrays.copyOf(placed, Math.max(slot + 1, placed.length * 2));
        }
        placed[slot] = false;
        if (freshSize == fresh.length) {
            fresh = Arrays.copyOf(fresh, freshSize * 2);
        }
        fresh[freshSize++] = slot;
        if (freshSize > 2 * slots.size() + FEWEST) {
            update(); // what comes and goes between two firings is not kept for the next one
        }
    }

    /** The slot has been given back. */
    void remove(int slot) {
        placed[slot] = false;
    }

    /** The slots have new numbers. */
    void renumber() {
        size = 0;
        sorted = new int[FEWEST];
        placed = new boolean[Math.max(FEWEST, slots.bound())];
        fresh = new int[Math.max(FEWEST, slots.bound())];
        freshSize = slots.bound();
        for (int slot = 0; slot < freshSize; slot++) {
            fresh[slot] = slot;
        }
    }

    /** Begins a walk over the slots of the window of {@code panes}, and maybe others. */
    void begin(Iterable<? extends SlotTable> panes) {
        long entries = 0;
        for (SlotTable pane : panes) {
            entries += pane.size();
            if (entries > slots.size() / FEW) {
                update();
                walk = sorted;
                walkSize = size;
                return;
            }
        }
        walk = new int[(int) entries];
        walkSize = 0;
        panes.forEach(pane -> pane.forEachSlot(slot -> walk[walkSize++] = slot));
        slots.sort(walk, walkSize);
        int several = walkSize;
        walkSize = 0;
        for (int i = 0; i < several; i++) {
            if (i == 0 || walk[i] != walk[i - 1]) {
                walk[walkSize++] = walk[i];
            }
        }
    }

    /** How many slots the walk has. */
    int size() {
        return walkSize;
    }

    /** The slots from number {@code from} of the walk on, {@code most} or as many as there are. */
    int[] slots(int from, int most) {
        return Arrays.copyOfRange(walk, from, Math.min(walkSize, from + most));
    }

    private void update() {
        int kept = 0;
        for (int i = 0; i < size; i++) {
            if (placed[sorted[i]]) {
                sorted[kept++] = sorted[i];
            }
        }
        size = kept;
        int live = 0;
        for (int i = 0; i < freshSize; i++) {
            int slot = fresh[i];
            if (slots.isUsed(slot) && !placed[slot]) {
                placed[slot] = true;
                fresh[live++] = slot;
            }
        }
        freshSize = 0;
        if (live > 0) {
            slots.sort(fresh, live);
            merge(live);
        }
    }

    private void merge(int live) {
        int[] merged = new int[Math.max(FEWEST, size + live)];
        int n = 0;
        int next = 0;
        for (int i = 0; i < live; i++) {
            int place = placeOf(fresh[i], next);
            System.arraycopy(sorted, next, merged, n, place - next);
            n += place - next;
            next = place;
            merged[n++] = fresh[i];
        }
        System.arraycopy(sorted, next, merged, n, size - next);
        size += live;
        sorted = merged;
    }

    /**
     * The first place, from {@code from} on, of a key that is not before that of {@code slot}. Looks further and further
     * ahead before it searches: few that are fresh among many cost little, and many no more than a step each.
     */
    private int placeOf(int slot, int from) {
        int low = from;
        int step = 1;
        while (low + step < size && isBefore(low + step - 1, slot)) {
            low += step;
            step *= 2;
        }
        int high = Math.min(size, low + step);
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (isBefore(middle, slot)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private boolean isBefore(int place, int slot) {
        return slots.compare(sorted[place], slot) < 0;
    }
}
