package io.fluxmark.state;

import java.util.List;

/** Something waiting for the store thread. Exactly one of the two ends is called, on the store thread. */
interface StoreRequest {

    /** What it counts for in the queue's byte bound. */
    long bytes();

    /** How many entries of the tables it changes. */
    long entries();

    /** How many of these are entries of state. */
    default long stateEntries() {
        return 0;
    }

    /** Takes its place in the lane's order, or throws why it is refused; nothing has been written yet. */
    void check(Incarnation store);

    /** Writes to the maps. */
    void apply(Incarnation store);

    /** The commit with this request's changes is durable. */
    void done(Incarnation store, StoreCommit commit);

    /** Refused, or lost with the store. */
    void failed(StateStoreException reason);

    /** Adds its part to the list of a commit's transactions. */
    void describe(List<LaneCommit> lanes);
}
