package io.fluxmark.windows;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The slots of the keys of one run, looked up together before any of its events is added: look-ups that do not depend on
 * each other wait for memory at the same time. Confined to the lane.
 *
 * <p>The keys are not kept: an event whose key has no slot yet is asked for it once more.
 */
final class KeyRun<T, K> {

    private final WindowLogic<T, K, ?, ?> events;
    private final KeySlots<K> slots;
    private final int[] found = new int[EventBatch.MAX_SIZE];

    private @Nullable EventBatch<T> run;

    /** What {@link KeySlots#partings} was when the slots were looked up. */
    private long partings;

    KeyRun(WindowLogic<T, K, ?, ?> events, KeySlots<K> slots) {
        this.events = events;
        this.slots = slots;
    }

    /** Looks up the keys of {@code next}; false where that has been done. */
    boolean begin(EventBatch<T> next) {
        if (run == next) {
            return false;
        }
        run = next;
        partings = slots.partings();
        // A new array each time: to put new objects into an old one costs more, with most garbage collectors.
        @Nullable Object[] keys = new Object[next.size];
        int known = events.readKeys(next, keys);
        slots.findAll(keys, known, found);
        Arrays.fill(found, known, next.size, KeySlots.NONE);
        return true;
    }

    /** The run is through. */
    void end() {
        run = null;
    }

    /** By event: the slot of its key, or {@link KeySlots#NONE}; for as long as {@link #slot} says the same. */
    int[] slots() {
        return found;
    }

    /** The slot of the key of event {@code i}, or {@link KeySlots#NONE} where it had none, or may have lost it since. */
    int slot(int i) {
        return partings == slots.partings() ? found[i] : KeySlots.NONE;
    }
}
