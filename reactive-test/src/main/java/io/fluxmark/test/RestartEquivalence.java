package io.fluxmark.test;

import io.fluxmark.log.EventCodec;
import io.fluxmark.log.EventLog;
import io.fluxmark.log.Topic;
import io.fluxmark.log.TypedTopic;
import io.fluxmark.sinks.ChangelogSink;
import io.fluxmark.sinks.JobStatus;
import io.fluxmark.sinks.LogSource;
import io.fluxmark.state.StateStore;
import io.fluxmark.windows.Checkpoint;
import io.fluxmark.windows.CheckpointSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.Consumer;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Holds a job that is interrupted again and again against plain batch, partition by partition: over a real log and a real
 * store, a job is cancelled after a few commits, its store closed and opened again, until a last run drains it. Before
 * each restart what is stored (positions, watermarks, counters, emitted rows) has to be what the records before the
 * committed offset make of it (S47, S48); in the end every window has emitted, in number, order and value, what a run
 * without interruption emits.
 *
 * <p>Immutable. Runs on the caller's thread; lanes run on {@link reactor.core.scheduler.Schedulers#parallel()}, which is
 * the job's clock too.
 *
 * @param <T> the events
 * @param <K> the key
 * @param <R> the result, of an aggregation that has codecs
 */
public final class RestartEquivalence<T, K, R> {

    /** The name of the job, for who looks into its store. */
    public static final String JOB = "restarted";

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int MOST_COMMITS = 3;

    private final WindowedPipeline<T, K, ?, R> pipeline;
    private final EventCodec<T> codec;
    private final List<T> events;
    private final Disorder disorder;
    private final int partitions;
    private final int eventsPerCommit;
    private final int restarts;
    private final long seed;
    private final Consumer<StateStore> betweenRuns;

    private RestartEquivalence(
            WindowedPipeline<T, K, ?, R> pipeline,
            EventCodec<T> codec,
            List<T> events,
            Disorder disorder,
            int partitions,
            int eventsPerCommit,
            int restarts,
            long seed,
            Consumer<StateStore> betweenRuns) {
        this.pipeline = pipeline;
        this.codec = codec;
        this.events = events;
        this.disorder = disorder;
        this.partitions = partitions;
        this.eventsPerCommit = eventsPerCommit;
        this.restarts = restarts;
        this.seed = seed;
        this.betweenRuns = betweenRuns;
    }

    /**
     * A job of {@code pipeline} over one partition without events, committed every 10 events, with 5 restarts.
     *
     * @param codec encodes events, with the UTF-8 bytes of the key as the record's key, and decodes them
     */
    public static <T, K, R> RestartEquivalence<T, K, R> of(WindowedPipeline<T, K, ?, R> pipeline, EventCodec<T> codec) {
        return new RestartEquivalence<>(pipeline, codec, List.of(), Disorder.none(), 1, 10, 5, 0, store -> {});
    }

    /** The input, in the order of {@code order}. */
    public RestartEquivalence<T, K, R> events(List<? extends T> input, Disorder order) {
        return new RestartEquivalence<>(
                pipeline, codec, List.copyOf(input), order, partitions, eventsPerCommit, restarts, seed, betweenRuns);
    }

    /** How many partitions the topic has, at least 1. */
    public RestartEquivalence<T, K, R> partitions(int count) {
        return new RestartEquivalence<>(
                pipeline, codec, events, disorder, count, eventsPerCommit, restarts, seed, betweenRuns);
    }

    /** How many events of a lane make a commit, at least 1. */
    public RestartEquivalence<T, K, R> eventsPerCommit(int count) {
        return new RestartEquivalence<>(
                pipeline, codec, events, disorder, partitions, count, restarts, seed, betweenRuns);
    }

    /**
     * How often the job is cancelled, and the seed of the number of commits before each cancel. Once the input is used up
     * a restart only opens the store again.
     */
    public RestartEquivalence<T, K, R> restarts(int count, long newSeed) {
        return new RestartEquivalence<>(
                pipeline, codec, events, disorder, partitions, eventsPerCommit, count, newSeed, betweenRuns);
    }

    /** What happens to the store after each cancel. */
    public RestartEquivalence<T, K, R> betweenRuns(Consumer<StateStore> action) {
        return new RestartEquivalence<>(
                pipeline,
                codec,
                events,
                disorder,
                partitions,
                eventsPerCommit,
                restarts,
                seed,
                Objects.requireNonNull(action, "action"));
    }

    /**
     * Runs and checks.
     *
     * @param directory empty, for the log and the store
     * @return what the events became
     * @throws AssertionError names the broken rule, the restart, the lane and offset, the smallest window that differs,
     *     what was expected and what was got
     */
    public Equivalence verify(Path directory) {
        try (EventLog log = done(EventLog.open(directory.resolve("log")))) {
            Topic topic = done(log.createTopic("events", partitions));
            List<T> arrivals = disorder.apply(events, pipeline.time());
            done(topic.append(arrivals.stream().map(codec::encode).toList()));
            StoredLanes<T, K, R> lanes = StoredLanes.of(pipeline, topic, codec);
            Random random = new Random(seed);
            for (int restart = 1; restart <= restarts; restart++) {
                interrupt(directory, topic, lanes, restart, 1 + random.nextInt(MOST_COMMITS));
            }
            try (StateStore store = done(StateStore.open(directory.resolve("state")))) {
                job(topic, pipeline.changelog(store), commits().drainWhen(Mono.empty()))
                        .blockLast(PATIENCE);
                check(store, topic, lanes, "in the end", true);
            }
            return lanes.total();
        }
    }

    /** A run that is cancelled; then a look at the store, which nobody writes to any more. */
    private void interrupt(Path directory, Topic topic, StoredLanes<T, K, R> lanes, int restart, int wanted) {
        Path state = directory.resolve("state");
        try (StateStore store = done(StateStore.open(state))) {
            // Not more than there will be: a job that has read everything waits.
            long due = done(JobStatus.read(store, JOB, topic)).lanes().stream()
                    .mapToLong(lane -> lane.lag() / eventsPerCommit)
                    .sum();
            long[] missing = {Math.min(wanted, due)};
            if (missing[0] > 0) {
                job(topic, pipeline.changelog(store), commits())
                        .takeUntil(
                                checkpoint -> (missing[0] -= checkpoint.lanes().size()) <= 0)
                        .blockLast(PATIENCE);
            }
        }
        try (StateStore store = done(StateStore.open(state))) {
            betweenRuns.accept(store);
            check(store, topic, lanes, "before restart " + restart, false);
        }
    }

    private void check(StateStore store, Topic topic, StoredLanes<T, K, R> lanes, String when, boolean drained) {
        try {
            JobStatus status = done(JobStatus.read(store, JOB, topic));
            lanes.check(status, done(pipeline.changelog(store).changes().collectList()), drained);
        } catch (RuleViolation e) {
            throw new AssertionError(
                    "Not equivalent to a run without restarts, " + when + ".\n" + e.getMessage() + "\n  job " + pipeline
                            + ", " + partitions + " partitions, a commit every " + eventsPerCommit
                            + " events, restarts with seed " + seed + ", " + disorder,
                    e);
        }
    }

    private CheckpointSpec commits() {
        return CheckpointSpec.everyEvents(eventsPerCommit).named(JOB);
    }

    private Flux<Checkpoint> job(Topic topic, ChangelogSink<K, R> changelog, CheckpointSpec spec) {
        return pipeline.partitioned(LogSource.of(new TypedTopic<>(topic, codec)))
                .writeTo(changelog, spec);
    }

    private static <V> V done(Mono<V> mono) {
        return Objects.requireNonNull(mono.block(PATIENCE), "nothing came");
    }

    /** Reads a whole partition. */
    static <T> List<T> read(Topic topic, int partition, EventCodec<T> codec) {
        List<T> read = new ArrayList<>();
        long end = topic.partition(partition).endOffset();
        done(topic.partition(partition).readTo(0, end).map(codec::decode).collectList())
                .forEach(read::add);
        return read;
    }
}
