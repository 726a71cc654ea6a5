package io.fluxmark.sinks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Scheduler;

/** What a job has been doing since its store was opened, over all its runs. Thread-safe. */
final class JobProgress {

    private JobState state = JobState.NOT_RUN;
    private long since = CheckpointFigures.NEVER;
    private long restarts;
    private @Nullable Throwable failure;
    private @Nullable Duration interval;
    private CheckpointFigures checkpoints = CheckpointFigures.NONE;

    /** Of the run that is on, or was last. */
    private List<LaneProgress> lanes = List.of();

    /**
     * What is seen at one moment.
     *
     * @param since when the state has become so, epoch ms
     * @param lanes of the run that is on, in the order of their numbers
     */
    record Sight(
            JobState state,
            long since,
            long restarts,
            @Nullable Throwable failure,
            @Nullable Duration interval,
            CheckpointFigures checkpoints,
            List<LaneProgress> lanes) {}

    /** The same run, watched from its subscription on. */
    <T> Flux<T> watch(Flux<T> run, Duration checkpointInterval, Scheduler clock) {
        return Flux.defer(() -> {
                    begin(checkpointInterval, now(clock));
                    return run;
                })
                .doOnError(error -> end(JobState.FAILED, error, now(clock)))
                .doOnComplete(() -> end(JobState.COMPLETED, null, now(clock)))
                .doOnCancel(() -> end(JobState.CANCELLED, null, now(clock)));
    }

    private static long now(Scheduler clock) {
        return clock.now(TimeUnit.MILLISECONDS);
    }

    private synchronized void begin(Duration checkpointInterval, long now) {
        restarts += state == JobState.FAILED ? 1 : 0;
        state = JobState.RUNNING;
        since = now;
        interval = checkpointInterval;
        lanes = List.of();
    }

    private synchronized void end(JobState how, @Nullable Throwable error, long now) {
        state = how;
        since = now;
        failure = error == null ? failure : error;
        // A lane holds its state: nothing of a run that is over is kept.
        lanes = List.of();
    }

    /** A lane of the run that is on begins; one that comes when that is over is not shown. */
    synchronized LaneProgress begin(JobLane lane) {
        LaneProgress progress = new LaneProgress(this, lane);
        if (state != JobState.RUNNING) {
            return progress;
        }
        List<LaneProgress> more = new ArrayList<>(lanes);
        more.add(progress);
        more.sort(Comparator.comparingInt(each -> each.lane().number()));
        lanes = List.copyOf(more);
        return progress;
    }

    synchronized void completed(long now, Duration duration, long bytes, long rows) {
        checkpoints = checkpoints.withCompleted(now, duration, bytes, rows);
    }

    synchronized void failed() {
        checkpoints = checkpoints.withFailed();
    }

    synchronized Sight look() {
        return new Sight(state, since, restarts, failure, interval, checkpoints, lanes);
    }
}
