package io.fluxmark.state;

import java.util.List;

/**
 * One durable store commit.
 *
 * @param number rises by one with every durable commit of the store, across restarts
 * @param lanes every lane transaction in this commit, in the order they were applied
 * @param busyNanos how long the store's thread was at it, from the first put to the last force, by the store's scheduler
 * @param perCommitNanos what of that depends on the number of commits and not on the number of rows, which are written once
 *     however many commits there are: about, by how many of the changed entries are state
 */
public record StoreCommit(long number, List<LaneCommit> lanes, long busyNanos, long perCommitNanos) {

    /** Copies the list. */
    public StoreCommit {
        lanes = List.copyOf(lanes);
    }
}
