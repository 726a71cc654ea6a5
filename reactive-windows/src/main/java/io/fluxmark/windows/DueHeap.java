package io.fluxmark.windows;

import java.util.Arrays;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * Keys with their windows, by the time at which they are due, and then, if need be, in their own order: a binary heap
 * in arrays. The heap is
 * of numbers, the places of the items, which stay where they are: with most garbage collectors moving a reference costs
 * much more than moving a number.
 */
final class DueHeap<K, A> {

    /** Takes what {@link #save} gives. */
    interface Saver<K> {

        void save(long due, K key);
    }

    private static final int FEWEST = 16;

    private final @Nullable Comparator<K> ties;

    /** By number in the heap: when the item is due, and its place. Behind them the places that are free. */
    private long[] dues = new long[FEWEST];

    private int[] places = new int[FEWEST];
    private int size;

    /** By place. */
    private Object[] items = new Object[FEWEST];

    private boolean[] saved = new boolean[FEWEST];

    /** @param ties the order of keys that are due at the same time; null where it does not matter */
    DueHeap(@Nullable Comparator<K> ties) {
        this.ties = ties;
        numberFrom(0);
    }

    private void numberFrom(int first) {
        for (int i = first; i < places.length; i++) {
            places[i] = i;
        }
    }

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    /** When the first is due; only where there is one. */
    long due() {
        return dues[0];
    }

    /** The item that is number {@code i} of the heap, in no order. */
    LiveWindows<K, A> get(int i) {
        return item(places[i]);
    }

    @SuppressWarnings("unchecked") // only such items are ever put in
    private LiveWindows<K, A> item(int place) {
        return (LiveWindows<K, A>) items[place];
    }

    /** Adds an item, which may have been saved before. */
    void push(long due, LiveWindows<K, A> item, boolean isSaved) {
        if (size == dues.length) {
            dues = Arrays.copyOf(dues, size * 2);
            places = Arrays.copyOf(places, size * 2);
            items = Arrays.copyOf(items, size * 2);
            saved = Arrays.copyOf(saved, size * 2);
            numberFrom(size);
        }
        int i = size++;
        int place = places[i];
        items[place] = item;
        saved[place] = isSaved;
        while (i > 0) {
            int parent = (i - 1) >> 1;
            if (!isBefore(due, place, dues[parent], places[parent])) {
                break;
            }
            put(i, dues[parent], places[parent]);
            i = parent;
        }
        put(i, due, place);
    }

    /** Removes the first and returns it. */
    LiveWindows<K, A> poll() {
        int freed = places[0];
        LiveWindows<K, A> first = item(freed);
        size--;
        long due = dues[size];
        int place = places[size];
        int i = 0;
        for (int child = 1; child < size; child = 2 * i + 1) {
            if (child + 1 < size && isBefore(dues[child + 1], places[child + 1], dues[child], places[child])) {
                child++;
            }
            if (!isBefore(dues[child], places[child], due, place)) {
                break;
            }
            put(i, dues[child], places[child]);
            i = child;
        }
        put(i, due, place);
        places[size] = freed;
        Arrays.fill(items, freed, freed + 1, null);
        return first;
    }

    /** Gives the keys that have not been given before. */
    void save(Saver<K> saver) {
        for (int i = 0; i < size; i++) {
            if (!saved[places[i]]) {
                saver.save(dues[i], get(i).key());
                saved[places[i]] = true;
            }
        }
    }

    void clear() {
        Arrays.fill(items, null);
        size = 0;
    }

    private boolean isBefore(long due, int place, long otherDue, int otherPlace) {
        return due != otherDue
                ? due < otherDue
                : ties != null
                        && ties.compare(item(place).key(), item(otherPlace).key()) < 0;
    }

    private void put(int i, long due, int place) {
        dues[i] = due;
        places[i] = place;
    }
}
