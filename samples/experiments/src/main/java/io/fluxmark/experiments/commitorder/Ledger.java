package io.fluxmark.experiments.commitorder;

import java.nio.file.Path;

/** Holds the counts of a store against what the records below its offset give, time after time. Not thread-safe. */
final class Ledger {

    private final Path directory;
    private final CommitOrder order;
    private final long[] truth = new long[Records.KEYS];
    private long counted;
    private long[] before = new long[Records.KEYS];

    Ledger(Path directory, CommitOrder order) {
        this.directory = directory;
        this.order = order;
    }

    /**
     * What has been added since the last look by who goes on from here.
     *
     * @param twice how often records are counted too much
     * @param missing how many counts are missing
     */
    record Difference(long twice, long missing) {}

    /** Looks at the store, which nobody has open. What an earlier look has found is not found again. */
    Difference look() {
        CountStore.Committed committed;
        try (CountStore store = CountStore.open(directory)) {
            committed = store.read(order);
        }
        if (committed.offset() < counted) {
            throw new IllegalStateException("the offset went back from " + counted + " to " + committed.offset());
        }
        for (; counted < committed.offset(); counted++) {
            truth[Records.key(counted)]++;
        }
        long[] after = new long[Records.KEYS];
        long twice = 0;
        long missing = 0;
        for (int key = 0; key < Records.KEYS; key++) {
            after[key] = committed.counts()[key] - truth[key];
            long change = after[key] - before[key];
            twice += Math.max(0, change);
            missing += Math.max(0, -change);
        }
        before = after;
        return new Difference(twice, missing);
    }

    /** How many records have been read and committed. */
    long records() {
        return counted;
    }
}
