package io.fluxmark.experiments.interval;

import io.fluxmark.benchmarks.Workload;
import io.fluxmark.benchmarks.durable.DurableJob;
import io.fluxmark.benchmarks.durable.FilledLog;
import io.fluxmark.experiments.crash.Victim;
import io.fluxmark.state.StoreSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;

/**
 * The job over the first events of a log, with a new store. Its pace is that from the first checkpoint behind a fifth of the events to the
 * last one, so that whole intervals are measured, each with its commit.
 */
final class PaceRun {

    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final int BEGIN = 5;

    private record Mark(long nanos, long events) {}

    private final Scheduler clock;
    private final long events;
    private final AtomicLong read = new AtomicLong();
    private final List<Mark> checkpoints = new CopyOnWriteArrayList<>();
    private final List<Mark> ends = new CopyOnWriteArrayList<>();

    private PaceRun(Scheduler clock, long events) {
        this.clock = clock;
        this.events = events;
    }

    /** Runs it. Events beyond those of the log are not waited for. */
    static Pace of(Path store, FilledLog log, Duration interval, long events, Scheduler clock) {
        return new PaceRun(clock, Math.min(events, log.count())).run(store, log, interval);
    }

    private Pace run(Path store, FilledLog log, Duration interval) {
        Sinks.One<Boolean> done = Sinks.one();
        try (DurableJob job = DurableJob.open(
                store,
                log.watched(offset -> {
                    read.lazySet(offset + 1);
                    if (offset + 1 == events / BEGIN) {
                        ends.add(mark());
                    } else if (offset + 1 == events) {
                        ends.add(mark());
                        done.tryEmitValue(true);
                    }
                }),
                Workload.TUMBLING.windows(),
                StoreSpec.defaults().stateBytes(Victim.STATE_BYTES))) {
            job.checkpoints(Victim.checkpoints(interval))
                    .doOnNext(checkpoint -> checkpoints.add(mark()))
                    .takeUntilOther(done.asMono())
                    .blockLast(PATIENCE);
            return pace(job.costs().perCheckpoint());
        }
    }

    private Mark mark() {
        return new Mark(clock.now(TimeUnit.NANOSECONDS), read.get());
    }

    private Pace pace(Duration cost) {
        List<Mark> measured = checkpoints.stream()
                .filter(mark -> mark.events() >= events / BEGIN)
                .toList();
        boolean whole = measured.size() > 1;
        List<Mark> span = whole ? measured : ends;
        Mark first = span.get(0);
        Mark last = span.get(span.size() - 1);
        double seconds = (last.nanos() - first.nanos()) / 1e9;
        return new Pace(
                whole ? (measured.size() - 1) / seconds : measured.size() / seconds,
                (last.events() - first.events()) / seconds,
                cost);
    }
}
