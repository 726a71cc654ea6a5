package io.fluxmark.windows;

import org.jspecify.annotations.Nullable;

/**
 * What a pane holds for one key. A plain mutable cell, so that a hot key costs no allocation; confined to the lane.
 *
 * @param <K> the key
 * @param <A> the accumulator
 */
public final class PaneEntry<K, A> {

    /** The key. */
    public final K key;

    /** The accumulator, null only until the first event. */
    public @Nullable A accumulator;

    /** Events in the accumulator: additions less retractions. At 0 the window has no result for the key. */
    public long count;

    /** Events that were added after the window had fired. */
    public long late;

    /** The revision of the newest emission, -1 while nothing has been emitted. */
    public int revision = -1;

    /**
     * The value of the newest emission, where the accumulator does not tell it: of windows with early results, once they
     * have emitted. Its class is the aggregation's result.
     */
    public @Nullable Object emitted;

    /** Whether the entry waits for the next early result; not kept over a restart, where its next event sets it again. */
    boolean awaitsEarly;

    /** The link and the hash of the table that holds the entry on the heap. */
    @Nullable
    PaneEntry<K, A> next;

    int hash;

    /** An entry without accumulator. */
    public PaneEntry(K key) {
        this.key = key;
    }
}
