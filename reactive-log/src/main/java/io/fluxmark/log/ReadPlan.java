package io.fluxmark.log;

import reactor.core.scheduler.Scheduler;

/** What each subscriber of a read gets its own of. */
record ReadPlan(
        PartitionView partition, LogStorage storage, int bufferBytes, ReadOptions options, Scheduler scheduler) {

    PartitionCursor cursor() {
        return new PartitionCursor(partition, storage, bufferBytes, options.from());
    }
}
