package io.fluxmark.log;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Scheduler;

/** Reads a partition in runs: what is there, never waiting to fill one. */
final class FluxReadRuns extends FluxRead<List<LogRecord>> {

    private final int maxRun;

    private FluxReadRuns(ReadPlan plan, int maxRun) {
        super(plan);
        this.maxRun = maxRun;
    }

    static Flux<List<LogRecord>> create(ReadPlan plan, int maxRun) {
        return onAssembly(new FluxReadRuns(plan, maxRun));
    }

    @Override
    ReadSubscription<List<LogRecord>> subscription(
            CoreSubscriber<? super List<LogRecord>> actual, ReadPlan plan, Scheduler.Worker worker) {
        return new RunSubscription(actual, plan, worker, maxRun);
    }

    private static final class RunSubscription extends ReadSubscription<List<LogRecord>> {

        private final int maxRun;

        RunSubscription(
                CoreSubscriber<? super List<LogRecord>> actual, ReadPlan plan, Scheduler.Worker worker, int maxRun) {
            super(actual, plan, worker);
            this.maxRun = maxRun;
        }

        @Override
        @Nullable
        List<LogRecord> poll(PartitionCursor from, long endExclusive) throws IOException {
            LogRecord first = from.next(endExclusive);
            if (first == null) {
                return null;
            }
            List<LogRecord> run = new ArrayList<>(Math.min(maxRun, 256));
            run.add(first);
            while (run.size() < maxRun) {
                LogRecord next;
                try {
                    next = from.next(endExclusive);
                } catch (CorruptSegmentException | OffsetOutOfRangeException | UnsupportedFormatException e) {
                    // What precedes it is emitted first; the next poll meets it again.
                    break;
                }
                if (next == null) {
                    break;
                }
                run.add(next);
            }
            return Collections.unmodifiableList(run);
        }
    }
}
