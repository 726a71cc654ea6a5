package io.fluxmark.state;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.h2.mvstore.MVStoreException;
import org.jspecify.annotations.Nullable;

/**
 * One opening of the file and everything in memory that depends on it. A failure ends the incarnation as a whole; what
 * follows is loaded from the file again, so nothing in memory can be ahead of the disk.
 */
final class Incarnation {

    private final StoreFile file;
    private final LaneTable lanes;
    private final DroppedRanges drops;
    private final StoreSpec spec;
    private final AheadRows ahead;
    private final CommitCost cost = new CommitCost();
    private final CommitTime time = new CommitTime();
    private final AtomicInteger pinnedViews;
    private volatile long commitNumber;
    private volatile StoreView view;
    private volatile @Nullable StateStoreException end;

    private Incarnation(StoreFile file, StoreSpec spec, AtomicInteger pinnedViews) {
        this.file = file;
        this.spec = spec;
        this.pinnedViews = pinnedViews;
        lanes = new LaneTable(file);
        drops = new DroppedRanges(file);
        ahead = new AheadRows(file, drops);
        commitNumber = file.commitNumber();
        view = new StoreView(file, commitNumber, drops.index(), ahead.index(), pinnedViews);
    }

    static Incarnation open(Path directory, StoreSpec spec, AtomicInteger pinnedViews) throws IOException {
        StoreFile file = StoreFile.open(directory, spec);
        try {
            return new Incarnation(file, spec, pinnedViews);
        } catch (Throwable e) {
            file.close();
            throw e;
        }
    }

    StoreFile file() {
        return file;
    }

    LaneTable lanes() {
        return lanes;
    }

    DroppedRanges drops() {
        return drops;
    }

    AheadRows ahead() {
        return ahead;
    }

    CommitCost cost() {
        return cost;
    }

    /** There is something to remove or to rewrite that no request asks for. */
    boolean maintenancePending() {
        return drops.pending() || ahead.pending();
    }

    long commitNumber() {
        return commitNumber;
    }

    /** Writes, commits, forces and publishes; any Throwable from here means that the incarnation is lost. */
    StoreCommit commit(List<StoreRequest> accepted) {
        long began = now();
        spec.reached(CommitStage.CHECKED);
        List<LaneCommit> members = new ArrayList<>();
        long entries = 0;
        long stateEntries = 0;
        for (StoreRequest request : accepted) {
            request.apply(this);
            request.describe(members);
            entries += request.entries();
            stateEntries += request.stateEntries();
        }
        cost.measured(entries, file.unsavedBytes());
        drops.removeSlice(spec.dropSlice());
        ahead.settleSlice(spec.dropSlice());
        spec.reached(CommitStage.APPLIED);
        long number = commitNumber + 1;
        file.commit(number);
        spec.reached(CommitStage.COMMITTED);
        long written = now();
        if (spec.durability() == StoreDurability.SYNC) {
            file.force();
        }
        long forced = now() - written;
        spec.reached(CommitStage.SYNCED);
        StoreView previous = view;
        view = new StoreView(file, number, drops.index(), ahead.index(), pinnedViews);
        commitNumber = number;
        previous.release();
        long busy = now() - began;
        return new StoreCommit(number, members, busy, time.perCommit(busy, forced, stateEntries, entries));
    }

    private long now() {
        return spec.scheduler().now(TimeUnit.NANOSECONDS);
    }

    /** The newest committed view, retained for the caller. */
    StoreView acquireView() {
        while (true) {
            StateStoreException reason = end;
            if (reason != null) {
                throw reason;
            }
            // A view that has just been replaced cannot be retained any more; its successor is already in place.
            StoreView candidate = view;
            if (candidate.retain()) {
                return candidate;
            }
        }
    }

    @Nullable
    StateStoreException end() {
        return end;
    }

    /** Why a read failed: the end of this incarnation if it has come, else the read's own problem. */
    StateStoreException readFailure(MVStoreException e) {
        StateStoreException reason = end;
        if (reason != null) {
            return reason;
        }
        if (DiskFullException.isCauseOf(e)) {
            // The reader was faster than the store's thread, which is about to say so itself.
            return new DiskFullException(
                    "The disk of the store " + file
                            + " is full, and a commit has failed; make room, then open the lane or" + " the read again",
                    e);
        }
        return StoreFile.isClosed(e)
                ? new StoreReopenedException("The store failed during the read; open the lane or the read again", e)
                : new StateStoreException("Reading the store failed; retry, or restore a savepoint if it stays", e);
    }

    /** The end, orderly or not: what was committed is durable, what was not is dropped, readers get the reason. */
    void close(StateStoreException reason) {
        end = reason;
        file.close();
        view.release();
    }
}
