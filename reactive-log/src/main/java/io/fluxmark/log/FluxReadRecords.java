package io.fluxmark.log;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Scheduler;

/** Reads a partition record by record. */
final class FluxReadRecords extends FluxRead<LogRecord> {

    private FluxReadRecords(ReadPlan plan) {
        super(plan);
    }

    static Flux<LogRecord> create(ReadPlan plan) {
        return onAssembly(new FluxReadRecords(plan));
    }

    @Override
    ReadSubscription<LogRecord> subscription(
            CoreSubscriber<? super LogRecord> actual, ReadPlan plan, Scheduler.Worker worker) {
        return new RecordSubscription(actual, plan, worker);
    }

    private static final class RecordSubscription extends ReadSubscription<LogRecord> {

        RecordSubscription(CoreSubscriber<? super LogRecord> actual, ReadPlan plan, Scheduler.Worker worker) {
            super(actual, plan, worker);
        }

        @Override
        @Nullable
        LogRecord poll(PartitionCursor from, long endExclusive) throws IOException {
            return from.next(endExclusive);
        }
    }
}
