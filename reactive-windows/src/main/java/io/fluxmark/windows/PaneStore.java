package io.fluxmark.windows;

import org.jspecify.annotations.Nullable;

/**
 * The panes of one operator, ordered by start: time-major state. Not thread-safe, confined to the lane.
 *
 * @param <K> the key
 * @param <A> the accumulator
 */
public interface PaneStore<K, A> {

    /** The pane that starts at {@code start}, made when it does not exist; it keeps the end that it was made with. */
    Pane<K, A> open(long start, long end);

    /** The same for a pane that has no end of its own. */
    default Pane<K, A> open(long start) {
        return open(start, Long.MAX_VALUE);
    }

    /** The pane that starts at {@code start}, or null. */
    @Nullable
    Pane<K, A> find(long start);

    /** The latest pane that starts at or before {@code instant}, or null. */
    @Nullable
    Pane<K, A> floor(long instant);

    /** The earliest pane, or null. */
    @Nullable
    Pane<K, A> first();

    /** The earliest pane that starts after {@code start}, or null. */
    @Nullable
    Pane<K, A> after(long start);

    /** Forgets the pane and all its entries. */
    void drop(Pane<K, A> pane);

    /** Adds what changed since the last call to the transaction of a passing barrier. */
    void flush(StateTransaction transaction);

    /**
     * Whether an entry is one and the same object as long as it exists, which may be held on to and changed at any time.
     * Without that it has to be asked for each time.
     */
    default boolean keepsEntries() {
        return false;
    }

    /**
     * Sets heap aside for so many entries, which the operator keeps in a form of its own beside the store between two
     * barriers; what was set aside before is given back. False where there is no room: the operator is to keep its
     * entries in the store alone. It may ask as often as it likes.
     */
    default boolean reserve(long entries) {
        return false;
    }

    /**
     * Whether half of what may change between two barriers has changed, in all stores of the lane: what can wait had better
     * wait for the next one.
     */
    default boolean isHalfChanged() {
        return false;
    }

    /** The number of live panes. */
    int paneCount();

    /** The number of live entries over all panes; an estimate where entries are not in memory. */
    long entryCount();
}
