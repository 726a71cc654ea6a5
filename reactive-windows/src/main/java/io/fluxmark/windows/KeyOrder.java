package io.fluxmark.windows;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.TreeMap;

/**
 * The slots of a window that fires in the order of their keys. Keys mostly stay from window to window: all keys of the lane
 * are kept in order, and only those that have come since are sorted, and merged into the rest. Where the window has few of
 * the lane's keys, those are sorted instead.
 */
final class KeyOrder<K> {

    private static final int FEWEST = 16;

    /** A window with fewer than one in so many keys has few of them. */
    private static final int FEW = 4;

    private final KeySlots<K> slots;
    private final Comparator<K> order;

    private int[] sorted = new int[FEWEST];
    private int size;

    /** By slot: whether its place among the sorted is that of the key that has the slot now. */
    private boolean[] placed = new boolean[FEWEST];

    /** Keys that have come since; some have gone again. */
    private final ArrayList<K> fresh = new ArrayList<>();

    /** What is walked over: all that are sorted, or the few of a window. */
    private int[] walk = sorted;

    private int walkSize;

    KeyOrder(KeySlots<K> slots, Comparator<K> order) {
        this.slots = slots;
        this.order = order;
    }

    /** {@code key} has been given {@code slot}. */
    void add(K key, int slot) {
        if (slot >= placed.length) {
            placed = Arrays.copyOf(placed, Math.max(slot + 1, placed.length * 2));
        }
        placed[slot] = false;
        fresh.add(key);
        if (fresh.size() > 2 * slots.size() + FEWEST) {
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
        fresh.clear();
        fresh.trimToSize();
        for (int slot = 0; slot < slots.bound(); slot++) {
            fresh.add(slots.key(slot));
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
        sortThoseOf(panes);
    }

    private void sortThoseOf(Iterable<? extends SlotTable> panes) {
        TreeMap<K, Integer> few = new TreeMap<>(order);
        for (SlotTable pane : panes) {
            pane.forEachSlot(slot -> few.put(slots.key(slot), slot));
        }
        walk = few.values().stream().mapToInt(Integer::intValue).toArray();
        walkSize = walk.length;
    }

    /** How many slots the walk has. */
    int size() {
        return walkSize;
    }

    /** Slot number {@code i} of the walk. */
    int get(int i) {
        return walk[i];
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
        if (!fresh.isEmpty()) {
            fresh.sort(order);
            merge();
            fresh.clear();
        }
    }

    private void merge() {
        int[] merged = new int[Math.max(FEWEST, slots.size())];
        int n = 0;
        int next = 0;
        for (K key : fresh) {
            int slot = slots.find(key);
            if (slot != KeySlots.NONE && !placed[slot]) {
                int place = placeOf(key, next);
                System.arraycopy(sorted, next, merged, n, place - next);
                n += place - next;
                next = place;
                merged[n++] = slot;
                placed[slot] = true;
            }
        }
        System.arraycopy(sorted, next, merged, n, size - next);
        size += n - next;
        sorted = merged;
    }

    /**
     * The first place, from {@code from} on, of a key that is not before {@code key}. Looks further and further ahead before
     * it searches: few that are fresh among many cost little, and many no more than a step each.
     */
    private int placeOf(K key, int from) {
        int low = from;
        int step = 1;
        while (low + step < size && isBefore(low + step - 1, key)) {
            low += step;
            step *= 2;
        }
        int high = Math.min(size, low + step);
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (isBefore(middle, key)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private boolean isBefore(int place, K key) {
        return order.compare(slots.key(sorted[place]), key) < 0;
    }
}
