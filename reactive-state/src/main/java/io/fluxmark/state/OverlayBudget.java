package io.fluxmark.state;

import java.util.ArrayList;
import java.util.List;

/**
 * The heap that the overlays of one lane may take together. When it is exceeded, clean entries go, those of the earliest
 * panes first: they are read again in order, a run at a time, when their pane fires, while entries of late panes are
 * still being changed one by one. Dirty entries stay whatever the budget says. {@link #exhausted()} may be asked by any
 * thread and then answers of a moment ago; all else is confined to the lane.
 */
final class OverlayBudget {

    private final LaneSession session;
    private final long limit;
    private final List<OverlayPaneStore<?, ?>> stores = new ArrayList<>();
    private long used;

    /** How much of it is set aside, by all stores together. */
    private long reserved;

    private long changed;
    private long spread;
    // A pass that could not free enough is not repeated before a commit has made more entries clean or much was added.
    private long fruitlessAt = -1;
    private long retryAbove;

    OverlayBudget(LaneSession session, long limit) {
        this.session = session;
        this.limit = limit;
    }

    /** Takes in a store that has just been restored. */
    void register(OverlayPaneStore<?, ?> store) {
        stores.add(store);
        fruitlessAt = -1;
        add(0);
    }

    /** Accounts for bytes added, or given back if negative, and makes room where that is needed. */
    void add(long bytes) {
        used += bytes;
        if (used > limit) {
            makeRoom();
        }
    }

    long used() {
        return used;
    }

    /** How much of it the filter of one pane may take. */
    long mostForFilters() {
        return limit / 2;
    }

    /** How much may still be loaded ahead at restore without crowding out what is about to change. */
    boolean roomToPreload() {
        return used < limit / 2;
    }

    /**
     * Sets bytes aside for what operators keep of their own beside this, or gives them back if negative: whether entries may go on
     * being kept twice.
     */
    boolean reserve(long bytes) {
        reserved += bytes;
        add(bytes);
        return reserved <= limit / 4;
    }

    /**
     * Counts entries that have been changed since the last barrier, and what has to be written with them as {@link
     * ChangeSpread} has it; or what has been handed over with it, if negative.
     */
    void changed(long entries, long withNeighbours) {
        changed += entries;
        spread += withNeighbours;
    }

    /**
     * Most of the budget cannot be evicted before the next barrier is durable, or what has changed would take as much of
     * the store's heap on its way into the file. What a change takes is known from the commits before; where changes then
     * lay side by side and these do not, from how far they are spread.
     */
    boolean exhausted() {
        return used > limit || bytesOfChanges() > limit;
    }

    /** Whether what has changed takes half of that. */
    boolean isHalfChanged() {
        return bytesOfChanges() > limit / 2;
    }

    private long bytesOfChanges() {
        return Math.max(changed * session.bytesPerChange(), spread * CommitCost.LEAST);
    }

    private void makeRoom() {
        long committed = session.committedTransaction();
        if (committed == fruitlessAt && used < retryAbove) {
            return;
        }
        long target = limit / 4 * 3;
        for (OverlayPaneStore<?, ?> store : stores) {
            used -= store.evict(committed, used - target);
            if (used <= target) {
                return;
            }
        }
        fruitlessAt = committed;
        retryAbove = used + Math.max(1, limit / 8);
    }
}
