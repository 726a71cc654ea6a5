package io.fluxmark.log;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Scheduler;

/** Reads a partition in runs: what is there, never waiting to fill one. */
final class FluxReadRuns extends FluxRead<RecordRun> {

    private final int maxRun;

    private FluxReadRuns(ReadPlan plan, int maxRun) {
        super(plan);
        this.maxRun = maxRun;
    }

    static Flux<RecordRun> create(ReadPlan plan, int maxRun) {
        return onAssembly(new FluxReadRuns(plan, maxRun));
    }

    @Override
    ReadSubscription<RecordRun> subscription(
            CoreSubscriber<? super RecordRun> actual, ReadPlan plan, Scheduler.Worker worker) {
        return new RunSubscription(actual, plan, worker, maxRun);
    }

    private static final class RunSubscription extends ReadSubscription<RecordRun> {

        private final int partition;
        private final int maxRun;

        RunSubscription(CoreSubscriber<? super RecordRun> actual, ReadPlan plan, Scheduler.Worker worker, int maxRun) {
            super(actual, plan, worker);
            this.partition = plan.partition().id();
            this.maxRun = maxRun;
        }

        @Override
        @Nullable
        RecordRun poll(PartitionCursor from, long endExclusive) throws IOException {
            RecordRunBuilder run = new RecordRunBuilder(partition, maxRun);
            try {
                from.readInto(run, endExclusive);
            } catch (CorruptSegmentException | OffsetOutOfRangeException | UnsupportedFormatException e) {
                // What precedes it is emitted first; the next poll meets it again.
                if (run.isEmpty()) {
                    throw e;
                }
            }
            return run.build();
        }
    }
}
