package io.fluxmark.sinks;

import java.util.concurrent.atomic.AtomicLongArray;

/** How many transactions each lane of a subscription has handed to the store. Thread-safe. */
final class Submissions {

    private final AtomicLongArray counts;

    Submissions(int lanes) {
        counts = new AtomicLongArray(lanes);
    }

    /** To be called before the transaction is handed over. */
    void add(int lane) {
        counts.incrementAndGet(lane);
    }

    long of(int lane) {
        return counts.get(lane);
    }

    int lanes() {
        return counts.length();
    }
}
