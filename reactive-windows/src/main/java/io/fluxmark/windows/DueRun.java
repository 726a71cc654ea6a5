package io.fluxmark.windows;

import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Keys of one bucket of time, with their windows, sorted by when they are due. Takes over the array that the bucket was
 * in: to write references into one that has lived long costs much more, with most garbage collectors.
 */
final class DueRun<K, A> {

    /** The longest bucket, ms. */
    static final long LONGEST = 1L << 30;

    /** In buckets up to this length many keys are sorted by counting. */
    private static final long SHORT = 1024;

    private static final int FEW = 64;

    /** The length of the bucket, ms. */
    private final long width;

    private LiveWindows<K, A>[] keys = none();

    /** The start of the bucket. */
    private long base;

    /** How far behind it each is due, above its place among the keys. */
    private long[] order = new long[0];

    private int size;
    private int next;

    DueRun(long width) {
        this.width = width;
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type
    private static <K, A> LiveWindows<K, A>[] none() {
        return new LiveWindows[0];
    }

    /** Begins anew. What is added takes the place of what was in {@code filed}, which has to have been read before. */
    void begin(LiveWindows<K, A>[] filed, long start) {
        keys = filed;
        base = start;
        size = 0;
        next = 0;
        if (order.length < filed.length) {
            order = new long[filed.length];
        }
    }

    /** Adds a key, which is due in the bucket. */
    void add(long due, LiveWindows<K, A> windows) {
        keys[size] = windows;
        order[size] = (due - base) << Integer.SIZE | size;
        size++;
    }

    /** Nothing is added any more. */
    void sort() {
        if (width <= SHORT && size > FEW) {
            count();
        } else {
            Arrays.sort(order, 0, size);
        }
        letGo();
    }

    /** Puts each where those that are due before it leave off. */
    private void count() {
        int[] ends = new int[(int) width + 1];
        for (int i = 0; i < size; i++) {
            ends[(int) (order[i] >>> Integer.SIZE) + 1]++;
        }
        for (int i = 1; i < ends.length; i++) {
            ends[i] += ends[i - 1];
        }
        long[] sorted = new long[order.length];
        for (int i = 0; i < size; i++) {
            sorted[ends[(int) (order[i] >>> Integer.SIZE)]++] = order[i];
        }
        order = sorted;
    }

    boolean isEmpty() {
        return next == size;
    }

    int size() {
        return size - next;
    }

    /** When the first is due; {@link Watermark#END} where there is none. */
    long due() {
        return isEmpty() ? Watermark.END : base + (order[next] >>> Integer.SIZE);
    }

    /** Removes the first and returns it. */
    LiveWindows<K, A> poll() {
        LiveWindows<K, A> first = keys[(int) order[next++]];
        letGo();
        return first;
    }

    private void letGo() {
        if (isEmpty()) {
            clear();
        }
    }

    void clear() {
        keys = none();
        size = 0;
        next = 0;
    }

    void forEach(Consumer<LiveWindows<K, A>> action) {
        for (int i = next; i < size; i++) {
            action.accept(keys[(int) order[i]]);
        }
    }
}
