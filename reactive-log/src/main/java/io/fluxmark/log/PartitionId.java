package io.fluxmark.log;

import java.util.Comparator;
import java.util.Objects;

/**
 * Which partition of a log. Ordered by topic, then by number.
 *
 * @param topic the name of the topic
 * @param partition its number within the topic, from 0
 */
public record PartitionId(String topic, int partition) implements Comparable<PartitionId> {

    private static final Comparator<PartitionId> ORDER =
            Comparator.comparing(PartitionId::topic).thenComparingInt(PartitionId::partition);

    public PartitionId {
        Objects.requireNonNull(topic, "topic");
    }

    @Override
    public int compareTo(PartitionId other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return topic + "/" + partition;
    }
}
