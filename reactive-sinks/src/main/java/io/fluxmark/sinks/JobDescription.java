package io.fluxmark.sinks;

import io.fluxmark.windows.CheckpointSpec;
import io.fluxmark.windows.JobDefinition;
import io.fluxmark.windows.KeyedStage;
import java.util.List;
import java.util.Objects;

/**
 * What a job is, as data: of a pipeline before it runs ({@link TransactionalSink#describe}), or of a store, for the job as it ran
 * last ({@link StoredJob#description}). What the job's events are taken to beside its results, as late ones, only the store
 * knows: {@link StoredJob#sinks}.
 *
 * @param name the job's name
 * @param topic what it reads; of two topics that are joined "left and right"
 * @param partitions how many partitions that has, of two topics together where one lane is over them, else each
 * @param merged whether one lane is over all of them, and not one over each
 * @param stages the stages that keep state of keys, in their order
 * @param outputs the sinks that it ends in, in their order
 * @param commits when it commits
 */
public record JobDescription(
        String name,
        String topic,
        int partitions,
        boolean merged,
        List<KeyedStage> stages,
        List<Output> outputs,
        Commits commits) {

    /** Copies the lists. */
    public JobDescription {
        Objects.requireNonNull(name, "name");
        stages = List.copyOf(stages);
        outputs = List.copyOf(outputs);
    }

    /**
     * A sink.
     *
     * @param kind what it is: table, changelog, topic, database or outbox
     * @param name its name
     * @param says its codecs, and where rows go if not into the store
     */
    public record Output(String kind, String name, String says) {}

    /**
     * When a job commits: whatever comes first.
     *
     * @param events behind so many events of a lane, at least 1
     * @param bytes behind so many bytes of its records; {@link Long#MAX_VALUE} if they play no part
     * @param intervalMillis the longest time between barriers while there is input, ms
     * @param stopsTheWorld whether lanes wait for their commits
     * @param timeoutMillis how long a commit may take, ms; -1 for as long as it likes
     */
    public record Commits(long events, long bytes, long intervalMillis, boolean stopsTheWorld, long timeoutMillis) {

        static final long UNLIMITED = -1;

        static Commits of(CheckpointSpec spec) {
            return new Commits(
                    spec.events(),
                    spec.bytes(),
                    spec.interval().toMillis(),
                    spec.stopsTheWorld(),
                    spec.timeout() == null ? UNLIMITED : spec.timeout().toMillis());
        }
    }

    static <T> JobDescription of(
            TransactionalSink<T> sink, JobDefinition<? extends T> definition, CheckpointSpec spec) {
        JobTopics topics = new JobTopics(JobRunner.sources(definition).stream()
                .map(LogSource.TopicSource::topic)
                .toList());
        return new JobDescription(
                JobRunner.requireName(spec),
                topics.names(),
                definition.source().partitions(),
                definition.merged(),
                definition.stages(),
                sink.outputs(definition),
                Commits.of(spec));
    }

    /** The same in a few lines, without a line break at the end. */
    public String text() {
        return DescriptionText.of(this);
    }

    @Override
    public String toString() {
        return text();
    }
}
