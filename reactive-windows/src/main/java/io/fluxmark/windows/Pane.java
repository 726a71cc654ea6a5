package io.fluxmark.windows;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The entries, by key, of one span of event time. Not thread-safe, confined to the lane.
 *
 * @param <K> the key
 * @param <A> the accumulator
 */
public abstract class Pane<K, A> {

    private final long start;
    private final long end;

    /**
     * A pane.
     *
     * @param start the first instant of the pane, epoch ms
     * @param end the first instant behind it
     */
    protected Pane(long start, long end) {
        this.start = start;
        this.end = end;
    }

    /** The first instant of the pane, epoch ms. */
    public final long start() {
        return start;
    }

    /** The first instant behind the pane, epoch ms, as it was when the pane was made. */
    public final long end() {
        return end;
    }

    /**
     * The entry of {@code key} for changing it: made, with a null accumulator and a count of 0, when it does not exist.
     * The entry may be changed until the next barrier or the next call on the pane's store, whichever comes first.
     */
    public abstract PaneEntry<K, A> update(K key);

    /** The entry of {@code key} for reading, or null. */
    public abstract @Nullable PaneEntry<K, A> find(K key);

    /** Removes the entry of {@code key}, if there is one. */
    public abstract void remove(K key);

    /**
     * A walk over all entries in the order of the encoded keys. An entry that comes or goes while the walk lasts may be
     * shown or not; all others are shown.
     */
    public abstract Walk<K, A> walk();

    /** The number of live entries. */
    public abstract long size();

    /** A resumable walk that reads a bounded number of entries at a time and holds no cursor in between. */
    public interface Walk<K, A> {

        /** Appends the next entries, at most {@code limit}, to {@code into}; returns false when none were left. */
        boolean next(List<PaneEntry<K, A>> into, int limit);
    }
}
