package io.fluxmark.windows;

import java.util.Arrays;
import java.util.Comparator;

/** Keys with their windows, by the time at which they are due, then in their own order: a binary heap in arrays. */
final class DueHeap<K, A> {

    /** Takes what {@link #save} gives. */
    interface Saver<K> {

        void save(long due, K key);
    }

    private final Comparator<K> order;
    private long[] dues = new long[16];
    private Object[] items = new Object[16];
    private boolean[] saved = new boolean[16];
    private int size;

    DueHeap(Comparator<K> order) {
        this.order = order;
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

    /** The item at {@code i}, in no order. */
    @SuppressWarnings("unchecked") // only such items are ever put in
    LiveWindows<K, A> get(int i) {
        return (LiveWindows<K, A>) items[i];
    }

    /** Adds an item, which may have been saved before. */
    void push(long due, LiveWindows<K, A> item, boolean isSaved) {
        if (size == dues.length) {
            dues = Arrays.copyOf(dues, size * 2);
            items = Arrays.copyOf(items, size * 2);
            saved = Arrays.copyOf(saved, size * 2);
        }
        int i = size++;
        while (i > 0) {
            int parent = (i - 1) >> 1;
            if (!isBefore(due, item, dues[parent], items[parent])) {
                break;
            }
            move(parent, i);
            i = parent;
        }
        put(i, due, item, isSaved);
    }

    /** Removes the first and returns it. */
    LiveWindows<K, A> poll() {
        LiveWindows<K, A> first = get(0);
        size--;
        long due = dues[size];
        Object item = items[size];
        boolean isSaved = saved[size];
        int i = 0;
        for (; ; ) {
            int child = 2 * i + 1;
            if (child >= size) {
                break;
            }
            if (child + 1 < size && isBefore(dues[child + 1], items[child + 1], dues[child], items[child])) {
                child++;
            }
            if (!isBefore(dues[child], items[child], due, item)) {
                break;
            }
            move(child, i);
            i = child;
        }
        put(i, due, item, isSaved);
        Arrays.fill(items, size, size + 1, null);
        return first;
    }

    /** Gives the keys that have not been given before. */
    void save(Saver<K> saver) {
        for (int i = 0; i < size; i++) {
            if (!saved[i]) {
                saver.save(dues[i], get(i).key());
                saved[i] = true;
            }
        }
    }

    void clear() {
        Arrays.fill(items, 0, size, null);
        size = 0;
    }

    @SuppressWarnings("unchecked") // only such items are ever put in
    private boolean isBefore(long due, Object item, long otherDue, Object other) {
        return due != otherDue
                ? due < otherDue
                : order.compare(((LiveWindows<K, A>) item).key(), ((LiveWindows<K, A>) other).key()) < 0;
    }

    private void move(int from, int to) {
        put(to, dues[from], items[from], saved[from]);
    }

    private void put(int i, long due, Object item, boolean isSaved) {
        dues[i] = due;
        items[i] = item;
        saved[i] = isSaved;
    }
}
