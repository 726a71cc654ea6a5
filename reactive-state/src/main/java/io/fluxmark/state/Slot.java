package io.fluxmark.state;

import io.fluxmark.windows.PaneEntry;

/**
 * An entry of the overlay, or the trace of a removed one. Confined to the lane.
 *
 * @param <K> the key
 * @param <A> the accumulator
 */
final class Slot<K, A> {

    /** Changed since the last barrier, so not part of any transaction yet. */
    static final long DIRTY = Long.MAX_VALUE;

    // Objects and hash table node around key and accumulator; a rough figure for the budget.
    private static final int OVERHEAD = 160;
    private static final int UNKNOWN_SIZE = 48;

    PaneEntry<K, A> entry;

    /** The entry does not exist any more; kept until the removal is durable, because the map still has it. */
    boolean removed;

    /** Forgotten by the pane although it may still stand in the list of changes. */
    boolean discarded;

    /** The store has the entry, or will have when the transactions handed over are applied. */
    boolean stored;

    /** Id of the transaction with the newest change, 0 if it was read from the store. */
    long changedIn;

    int bytes;

    Slot(PaneEntry<K, A> entry) {
        this.entry = entry;
        bytes = OVERHEAD + UNKNOWN_SIZE;
    }

    static <K, A> Slot<K, A> loaded(PaneEntry<K, A> entry, int size) {
        Slot<K, A> slot = new Slot<>(entry);
        slot.stored = true;
        slot.bytes = OVERHEAD + size;
        return slot;
    }

    /** Takes the size that serialising has shown and gives the difference. */
    int resize(int size) {
        int before = bytes;
        bytes = OVERHEAD + size;
        return bytes - before;
    }

    /** Part of a durable transaction and unchanged since, so the store can give it back. */
    boolean clean(long committed) {
        return changedIn <= committed;
    }
}
