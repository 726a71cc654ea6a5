package io.fluxmark.sinks;

import io.fluxmark.log.Partition;

/**
 * Finds that the last offsets of a partition have no record any more, or never had one: compaction removes expired tombstones,
 * and markers of transactions are read by nobody. Who waits there for a record waits until one is appended. Looked for only
 * where a reader has not moved between two looks; thread-safe.
 */
final class EmptyEnd {

    private final Partition partition;
    private long seen = -1;
    private boolean looking;

    /** Offsets from where the reader stood up to here have no record. */
    private volatile long reached;

    EmptyEnd(Partition partition) {
        this.partition = partition;
    }

    /**
     * Looks, now and then, at a reader that may wait.
     *
     * @param nextOffset the offset of the next record that it hands on
     * @param found is run, on any thread, when {@link #reached} has moved
     */
    void look(long nextOffset, Runnable found) {
        long end = partition.endOffset();
        synchronized (this) {
            boolean moved = nextOffset != seen;
            seen = nextOffset;
            if (moved || looking || nextOffset >= end || nextOffset < reached) {
                return;
            }
            looking = true;
        }
        partition
                .readTo(nextOffset, end)
                .hasElements()
                .doFinally(signal -> done())
                .subscribe(
                        some -> {
                            if (!some) {
                                reached = end;
                                found.run();
                            }
                        },
                        failure -> {
                            // The reader itself meets it, and says so.
                        });
    }

    private synchronized void done() {
        looking = false;
    }

    /** Up to where there is no record behind the offset that was looked at; 0 before anything is found. */
    long reached() {
        return reached;
    }
}
