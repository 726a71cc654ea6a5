package io.fluxmark.state;

import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * About how much the store will have to write for what has changed in a pane since the last barrier. It writes whole pages,
 * so an entry that has changed alone on its page counts as many as fit on one, and a whole pane no more than its pages do.
 * New entries in the order of their keys share theirs. Confined to the lane.
 *
 * @param <K> the key
 */
final class ChangeSpread<K> {

    /** About how many small entries share a page. */
    static final int PER_PAGE = 16;

    private final Comparator<? super K> order;
    private @Nullable K highest;
    private long apart;
    private long counted;

    ChangeSpread(Comparator<? super K> order) {
        this.order = order;
    }

    /** A new entry; how many more entries that makes in a pane that has so many now. */
    long born(K key, long size) {
        boolean follows = highest == null || order.compare(key, highest) > 0;
        if (follows) {
            highest = key;
        }
        return count(follows ? 1 : PER_PAGE, size);
    }

    /** An entry that has not changed before; how many more entries that makes in a pane that has so many now. */
    long changed(long size) {
        return count(PER_PAGE, size);
    }

    private long count(int entries, long size) {
        apart += entries;
        long before = counted;
        counted = Math.min(apart, size + PER_PAGE - 1);
        return counted - before;
    }

    /** How many entries have been counted. */
    long counted() {
        return counted;
    }

    /** A barrier has taken all changes. */
    void reset() {
        apart = 0;
        counted = 0;
    }
}
