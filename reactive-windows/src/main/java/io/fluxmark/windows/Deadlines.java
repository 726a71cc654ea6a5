package io.fluxmark.windows;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * When entries of a state expire: an index in panes, one for each span of an eighth of the time-to-live or less. An entry lies
 * in one place, which is a lower bound: writing it later moves nothing. When the watermark has passed a place, its owner
 * looks at each entry there, and removes it or files it anew; then the place goes as a whole. Confined to the lane.
 *
 * <p>How much is changed so between two barriers is bounded where state is stored, by number and by what the lane's stores
 * have room for: changed state stays on the heap until the next barrier. The rest has to wait; it has expired all the same.
 *
 * @param <C> the keys of entries
 */
final class Deadlines<C> {

    /** Knows the entries. */
    interface Owner<C> {

        /**
         * The time of what was filed at {@code place} has passed: remove it, file it anew, or leave it to another place.
         *
         * @return whether that has changed state
         */
        boolean look(C key, long place);
    }

    /** How many looks may change state between two barriers, beside two for each entry that is new. */
    private static final long LOOKS = 1 << 16;

    private static final int PLACES = 8;
    private static final int PAGE = 256;
    private static final long NEVER = Watermark.END;

    private final PaneStore<C, Long> store;
    private final long width;
    private final long mostLooks;
    private final Owner<C> owner;

    /** The first place; what the watermark has to pass. */
    private long first;

    private long looks;

    /** The place that is being looked at. */
    private @Nullable Pane<C, Long> passed;

    private Pane.@Nullable Walk<C, Long> walk;

    Deadlines(PaneStore<C, Long> store, long timeToLive, Owner<C> owner) {
        this.store = store;
        this.width = Long.highestOneBit(Math.max(1, timeToLive / PLACES));
        this.mostLooks = store.keepsEntries() ? Long.MAX_VALUE : LOOKS;
        this.looks = mostLooks;
        this.owner = owner;
        findFirst();
    }

    private void findFirst() {
        Pane<C, Long> pane = store.first();
        first = pane == null ? NEVER : pane.start();
    }

    /** Files an entry that was not there before; returns its place. */
    long fileNew(C key, long deadline) {
        looks = mostLooks == Long.MAX_VALUE ? mostLooks : looks + 2;
        return file(key, deadline);
    }

    /** Files an entry; returns its place, which is at or before {@code deadline}. */
    long file(C key, long deadline) {
        long place = deadline & -width;
        store.open(place).update(key);
        first = Math.min(first, place);
        return place;
    }

    /** Whether {@code watermark} has passed the first place, and more may be looked at before the next barrier. */
    boolean isDue(long watermark) {
        return first != NEVER && looks > 0 && !store.isHalfChanged() && Watermark.closes(watermark, endOf(first));
    }

    private long endOf(long place) {
        long end = place + width;
        return end < place ? NEVER : end;
    }

    /** Has the owner look at what {@code watermark} has passed. */
    void sweep(long watermark) {
        List<PaneEntry<C, Long>> page = new ArrayList<>(PAGE);
        while (isDue(watermark)) {
            Pane<C, Long> pane = passed;
            Pane.Walk<C, Long> entries = walk;
            if (pane == null || entries == null) {
                pane = store.open(first);
                entries = pane.walk();
                passed = pane;
                walk = entries;
            }
            if (!entries.next(page, (int) Math.min(PAGE, looks))) {
                store.drop(pane);
                passed = null;
                walk = null;
                findFirst();
                continue;
            }
            for (PaneEntry<C, Long> entry : page) {
                boolean changed = owner.look(entry.key, pane.start());
                looks -= changed && mostLooks != Long.MAX_VALUE ? 1 : 0;
            }
            page.clear();
        }
    }

    /** Nothing expires any more. */
    void clear() {
        for (Pane<C, Long> pane = store.first(); pane != null; pane = store.first()) {
            store.drop(pane);
        }
        passed = null;
        walk = null;
        first = NEVER;
    }

    void flush(StateTransaction transaction) {
        store.flush(transaction);
        looks = mostLooks;
    }

    /** How many places entries have, with those that do not count any more. */
    long size() {
        return store.entryCount();
    }
}
