package io.fluxmark.log;

import java.util.Objects;

/**
 * What a topic is created with. Immutable: each method returns a changed copy.
 *
 * @see EventLog#createTopic(String, TopicSpec)
 */
public final class TopicSpec {

    private final int partitions;
    private final Retention retention;
    private final Compaction compaction;

    private TopicSpec(int partitions, Retention retention, Compaction compaction) {
        this.partitions = partitions;
        this.retention = retention;
        this.compaction = compaction;
    }

    /**
     * So many partitions, of which everything is kept.
     *
     * @param value 1 to 10,000, fixed for ever
     */
    public static TopicSpec partitions(int value) {
        return new TopicSpec(value, Retention.forever(), Compaction.none());
    }

    /** What is kept by age and size; may be {@linkplain EventLog#changeRetention changed} later. */
    public TopicSpec retention(Retention value) {
        return new TopicSpec(partitions, Objects.requireNonNull(value, "retention"), compaction);
    }

    /** What is kept by key. */
    public TopicSpec compaction(Compaction value) {
        return new TopicSpec(partitions, retention, Objects.requireNonNull(value, "compaction"));
    }

    int partitions() {
        return partitions;
    }

    TopicMetadata toMetadata(String topic) {
        if (partitions < 1 || partitions > TopicMetadata.MAX_PARTITIONS) {
            throw new IllegalArgumentException("partitions of topic '" + topic + "' must be between 1 and "
                    + TopicMetadata.MAX_PARTITIONS + " but was " + partitions);
        }
        return new TopicMetadata(partitions, retention, compaction);
    }
}
