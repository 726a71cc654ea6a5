package io.fluxmark.sinks;

import io.fluxmark.log.Topic;
import io.fluxmark.state.StateStore;
import io.fluxmark.windows.Explanation;
import io.fluxmark.windows.LiveExplanation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Looks at a job of this process from outside, at any time and without disturbing it: also before its first run, between
 * runs, and when it is over. Needs the job's name alone, so it is made where it is needed. Immutable and thread-safe.
 */
public final class JobMonitor {

    /** A lane that is stuck in somebody's code does not answer; the rest is told nevertheless. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final StateStore store;
    private final String job;
    private final Topic topic;
    private final Scheduler clock;

    private JobMonitor(StateStore store, String job, Topic topic, Scheduler clock) {
        this.store = Objects.requireNonNull(store, "store");
        this.job = Objects.requireNonNull(job, "job");
        this.topic = Objects.requireNonNull(topic, "topic");
        this.clock = Objects.requireNonNull(clock, "clock");
    }

    /** Of the job of that name on that store, which reads that topic. */
    public static JobMonitor of(StateStore store, String job, Topic topic) {
        return new JobMonitor(store, job, topic, Schedulers.parallel());
    }

    /** The same with a clock: the one that the job has. */
    public JobMonitor clock(Scheduler newClock) {
        return new JobMonitor(store, job, topic, newClock);
    }

    /** The job's name. */
    public String job() {
        return job;
    }

    /** What the job's checkpoints cost, as measured since the store was opened. */
    public CheckpointCosts costs() {
        return CheckpointCosts.of(store, job);
    }

    /**
     * The job now; looked at anew by each subscription. What its lanes have to answer between two elements is waited for at
     * most one second. Fails when the store is closed, or fails meanwhile.
     */
    public Mono<JobObservation> observe() {
        return Mono.zip(JobStatus.read(store, job, topic), store.info(), (status, info) -> {
                    JobProgress.Sight seen = RunningJobs.progress(store, job).look();
                    return Flux.fromIterable(status.lanes())
                            .concatMap(lane -> observe(lane, seen.lanes()))
                            .collectList()
                            .map(lanes -> new JobObservation(
                                    job,
                                    seen.state(),
                                    seen.since(),
                                    clock.now(TimeUnit.MILLISECONDS),
                                    seen.restarts(),
                                    seen.failure(),
                                    seen.interval(),
                                    seen.checkpoints(),
                                    lanes,
                                    info));
                })
                .flatMap(observation -> observation);
    }

    private Mono<LaneObservation> observe(JobStatus.Lane committed, List<LaneProgress> running) {
        LaneProgress progress = find(committed.lane(), running);
        if (progress == null) {
            return Mono.just(new LaneObservation(committed, -1, 0, List.of()));
        }
        JobLane lane = progress.lane();
        return explain(progress)
                .map(windows -> new LaneObservation(committed, lane.unread(), progress.stateBytes(), windows));
    }

    private static @Nullable LaneProgress find(int lane, List<LaneProgress> running) {
        return running.stream()
                .filter(each -> each.lane().number() == lane)
                .findFirst()
                .orElse(null);
    }

    private Mono<List<Explanation>> explain(LaneProgress lane) {
        return Flux.fromIterable(new ArrayList<>(lane.explanations()))
                .concatMap(LiveExplanation::explain)
                .collectList()
                .timeout(PATIENCE, clock)
                // A lane that does not answer, or is full of questions, has nothing to say.
                .onErrorReturn(List.of());
    }
}
