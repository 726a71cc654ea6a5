package io.fluxmark.windows;

import java.util.Arrays;
import java.util.Comparator;

/** Keys by the time at which they are due, then in their own order: a binary heap in plain arrays. */
final class DueHeap<K> {

    /** Takes what {@link #save} gives. */
    interface Saver<K> {

        void save(long due, K key);
    }

    private final Comparator<K> order;
    private long[] dues = new long[16];
    private Object[] keys = new Object[16];
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

    /** The key at {@code i}, in no order. */
    @SuppressWarnings("unchecked") // only keys are ever put in
    K key(int i) {
        return (K) keys[i];
    }

    /** Adds a key. */
    void push(long due, K key, boolean isSaved) {
        if (size == dues.length) {
            dues = Arrays.copyOf(dues, size * 2);
            keys = Arrays.copyOf(keys, size * 2);
            saved = Arrays.copyOf(saved, size * 2);
        }
        int i = size++;
        while (i > 0) {
            int parent = (i - 1) >> 1;
            if (!isBefore(due, key, parent)) {
                break;
            }
            move(parent, i);
            i = parent;
        }
        put(i, due, key, isSaved);
    }

    /** Removes the first and returns its key. */
    K poll() {
        K first = key(0);
        size--;
        long due = dues[size];
        K key = key(size);
        boolean isSaved = saved[size];
        int i = 0;
        for (; ; ) {
            int child = 2 * i + 1;
            if (child >= size) {
                break;
            }
            if (child + 1 < size && isBefore(dues[child + 1], key(child + 1), child)) {
                child++;
            }
            if (!isBefore(dues[child], key(child), due, key)) {
                break;
            }
            move(child, i);
            i = child;
        }
        put(i, due, key, isSaved);
        Arrays.fill(keys, size, size + 1, null);
        return first;
    }

    /** Gives what has not been given before. */
    void save(Saver<K> saver) {
        for (int i = 0; i < size; i++) {
            if (!saved[i]) {
                saver.save(dues[i], key(i));
                saved[i] = true;
            }
        }
    }

    void clear() {
        Arrays.fill(keys, 0, size, null);
        size = 0;
    }

    private boolean isBefore(long due, K key, int other) {
        return isBefore(due, key, dues[other], key(other));
    }

    private boolean isBefore(long due, K key, long otherDue, K otherKey) {
        return due != otherDue ? due < otherDue : order.compare(key, otherKey) < 0;
    }

    private void move(int from, int to) {
        put(to, dues[from], key(from), saved[from]);
    }

    private void put(int i, long due, K key, boolean isSaved) {
        dues[i] = due;
        keys[i] = key;
        saved[i] = isSaved;
    }
}
