package io.fluxmark.windows;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The slots of the keys of some events, looked up together before any of these is added: look-ups that do not depend on
 * each other wait for memory at the same time. Confined to the lane.
 *
 * <p>The keys are not kept: an event whose key has no slot yet is asked for it once more.
 */
final class KeyRun<T, K> {

    private final WindowLogic<T, K, ?, ?> events;
    private final KeySlots<K> slots;
    private final int[] found = new int[WindowLogic.CHUNK];
    private int first;

    /** What {@link KeySlots#partings} was when the slots were looked up. */
    private long partings;

    KeyRun(WindowLogic<T, K, ?, ?> events, KeySlots<K> slots) {
        this.events = events;
        this.slots = slots;
    }

    /** Looks up the keys of events {@code from} to {@code to}, exclusive, of {@code run}. */
    void find(EventBatch<T> run, int from, int to) {
        // A new array each time: to put new objects into an old one costs more, with most garbage collectors.
        @Nullable Object[] keys = new Object[to - from];
        int known = events.readKeys(run, keys, from, to);
        slots.findAll(keys, known, found);
        Arrays.fill(found, known, to - from, KeySlots.NONE);
        first = from;
        partings = slots.partings();
    }

    /** Whether {@link #get} still says what is. */
    boolean isCurrent() {
        return partings == slots.partings();
    }

    /** The slot of the key of event {@code i}, or {@link KeySlots#NONE}, as it was found. */
    int get(int i) {
        return found[i - first];
    }

    /** The same as it is; {@link KeySlots#NONE} also where the key may have lost its slot since. */
    int slot(int i) {
        return isCurrent() ? get(i) : KeySlots.NONE;
    }
}
