package io.fluxmark.test;

import io.fluxmark.log.AppendRecord;
import io.fluxmark.log.EventCodec;
import io.fluxmark.log.Partitioner;
import io.fluxmark.log.TypedTopic;
import io.fluxmark.sinks.JobStatus;
import io.fluxmark.sinks.LogSource;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;

/**
 * {@link BatchEquivalence} of a job: its partitions' records interleaved in several ways, and crashed at some of the
 * boundaries of each ({@link CrashPoints}). The job that nothing disturbs has to do, lane by lane, what plain loops over
 * the records do: rows, counters and watermarks; each crashed one has to equal it.
 *
 * <p>Immutable. Runs on the caller's thread and those of the jobs.
 *
 * @param <T> the events
 * @param <K> the key
 * @param <R> the result, of an aggregation that has codecs
 */
public final class JobEquivalence<T, K, R> {

    private static final String TOPIC = "events";

    private final WindowedPipeline<T, K, ?, R> pipeline;
    private final EventCodec<T> codec;
    private final List<T> events;
    private final Disorder disorder;
    private final Pattern pattern;

    /** How often, and from what seed. */
    private record Pattern(int partitions, int interleavings, int crashes, long seed) {}

    private JobEquivalence(
            WindowedPipeline<T, K, ?, R> pipeline,
            EventCodec<T> codec,
            List<T> events,
            Disorder disorder,
            Pattern pattern) {
        this.pipeline = pipeline;
        this.codec = codec;
        this.events = events;
        this.disorder = disorder;
        this.pattern = pattern;
    }

    /**
     * A job over 2 partitions without events, interleaved in 2 ways, each crashed 10 times, with seed 0.
     *
     * @param codec encodes events, with the UTF-8 bytes of the key as the record's key, and decodes them
     */
    public static <T, K, R> JobEquivalence<T, K, R> of(WindowedPipeline<T, K, ?, R> pipeline, EventCodec<T> codec) {
        return new JobEquivalence<>(
                Objects.requireNonNull(pipeline, "pipeline"),
                Objects.requireNonNull(codec, "codec"),
                List.of(),
                Disorder.none(),
                new Pattern(2, 2, 10, 0));
    }

    /** The input, in the order of {@code order} within each partition. */
    public JobEquivalence<T, K, R> events(List<? extends T> input, Disorder order) {
        return new JobEquivalence<>(pipeline, codec, List.copyOf(input), Objects.requireNonNull(order), pattern);
    }

    /**
     * How much is tried.
     *
     * @param partitions of the topic, at least 1
     * @param interleavings of the partitions' records, at least 1
     * @param crashes of each, at least 1
     */
    public JobEquivalence<T, K, R> trying(int partitions, int interleavings, int crashes, long seed) {
        if (partitions < 1 || interleavings < 1 || crashes < 1) {
            throw new IllegalArgumentException("at least 1 of each is tried but was told " + partitions
                    + " partitions, " + interleavings + " interleavings, " + crashes + " crashes");
        }
        return new JobEquivalence<>(
                pipeline, codec, events, disorder, new Pattern(partitions, interleavings, crashes, seed));
    }

    /**
     * Runs and checks.
     *
     * @param directory empty
     * @return what the events became, over all interleavings
     * @throws AssertionError names the broken rule, what differs, the disorder and the seed
     */
    public Equivalence verify(Path directory) {
        Random random = new Random(pattern.seed);
        Equivalence sum = Equivalence.none();
        for (int i = 0; i < pattern.interleavings; i++) {
            long seed = i == 0 ? pattern.seed : random.nextLong();
            JobCase job = job(interleaved(new Random(seed)));
            Path place = directory.resolve("interleaving-" + i);
            sum = sum.plus(plain(job, place));
            CrashPoints.of(job).sample(pattern.crashes, seed).verify(place);
        }
        return sum;
    }

    private JobCase job(List<AppendRecord> records) {
        return JobCase.of((log, store, spec) -> pipeline.partitioned(
                                LogSource.of(new TypedTopic<>(log.topic(TOPIC), codec)))
                        .writeTo(pipeline.changelog(store), spec))
                .input(TOPIC, pattern.partitions, records)
                .showing("changes", store -> pipeline.changelog(store).changes());
    }

    /** The order within a partition stays, and any partition may be next. */
    private List<AppendRecord> interleaved(Random random) {
        Map<Integer, Deque<AppendRecord>> waiting = new TreeMap<>();
        for (T event : disorder.apply(events, pipeline.time())) {
            AppendRecord record = codec.encode(event);
            int partition = Partitioner.partitionFor(Objects.requireNonNull(record.key()), pattern.partitions);
            waiting.computeIfAbsent(partition, p -> new ArrayDeque<>()).add(record);
        }
        List<AppendRecord> records = new ArrayList<>();
        while (!waiting.isEmpty()) {
            List<Integer> partitions = List.copyOf(waiting.keySet());
            int next = partitions.get(random.nextInt(partitions.size()));
            Deque<AppendRecord> queue = Objects.requireNonNull(waiting.get(next));
            records.add(queue.remove());
            if (queue.isEmpty()) {
                waiting.remove(next);
            }
        }
        return records;
    }

    /** The undisturbed job against plain loops. */
    private Equivalence plain(JobCase job, Path place) {
        try (JobRig rig = JobRig.open(job, place, SimulatedDisk.empty())) {
            rig.finish();
            StoredLanes<T, K, R> lanes = StoredLanes.of(pipeline, rig.topic(), codec);
            JobStatus status = JobRig.done(JobStatus.read(rig.store(), JobCase.JOB, rig.topic()));
            lanes.check(
                    status, StoredJob.collect(pipeline.changelog(rig.store()).changes()), true);
            return lanes.total();
        } catch (RuleViolation e) {
            throw new AssertionError(
                    "Not equivalent to plain batch.\n" + e.getMessage() + "\n  job " + pipeline + ", " + job + ", seed "
                            + pattern.seed + ", " + disorder,
                    e);
        }
    }
}
