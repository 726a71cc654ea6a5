package io.fluxmark.experiments.commitorder;

import io.fluxmark.state.LaneTransaction;
import java.util.function.LongUnaryOperator;

/** Counts records by key from the committed offset on, a cycle at a time, in one of the orders. Not thread-safe. */
final class Counting {

    /** Records in a cycle. */
    static final int CYCLE = 100;

    private final CountStore store;
    private final CommitOrder order;
    private final LongUnaryOperator records;
    /** By key, those that have been used. */
    private final long[] counts = new long[Records.KEYS];

    private final boolean[] known = new boolean[Records.KEYS];
    private long next;

    /**
     * Goes on from what is committed.
     *
     * @param records what is delivered at an offset
     */
    Counting(CountStore store, CommitOrder order, LongUnaryOperator records) {
        this.store = store;
        this.order = order;
        this.records = records;
        next = store.offset(order);
    }

    /** Reads the next records and commits them; returns when all of it is durable. */
    void cycle() {
        LaneTransaction state = store.begin();
        for (int i = 0; i < CYCLE; i++) {
            int key = Records.key(records.applyAsLong(next++));
            if (!known[key]) {
                // One by one rather than all at the start: a process lives for some cycles only.
                counts[key] = store.count(key);
                known[key] = true;
            }
            CountStore.put(state, key, ++counts[key]);
        }
        switch (order) {
            case STATE_THEN_OFFSET -> {
                store.commit(state);
                store.commitOffset(next);
            }
            case OFFSET_THEN_STATE -> {
                store.commitOffset(next);
                store.commit(state);
            }
            case ATOMIC -> {
                CountStore.putOffset(state, next);
                store.commit(state);
            }
        }
    }
}
