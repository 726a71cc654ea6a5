package io.fluxmark.sinks;

import io.fluxmark.log.ConsumerGroup;
import io.fluxmark.log.Partition;
import io.fluxmark.log.Topic;
import io.fluxmark.state.StateStore;
import io.fluxmark.windows.CheckpointSpec;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the lanes of a job share; immutable.
 *
 * @param description what it is
 * @param identity what must not change between runs: topic, partitions and codecs
 * @param group that divides the lanes among subscriptions; null for one subscription that has all
 * @param keyBytes how keys stand in records; null leaves places unchecked
 */
record Job(
        JobDescription description,
        String identity,
        Topic topic,
        StateStore store,
        CheckpointSpec spec,
        @Nullable ConsumerGroup group,
        @Nullable Function<Object, byte[]> keyBytes) {

    private static final long LEAST_OF_A_LANE = 64 << 10;

    String name() {
        return description.name();
    }

    /** Whether one lane is over all partitions, and not one over each. */
    boolean merged() {
        return description.merged();
    }

    /** About how much heap a lane's state may take: what has changed since the last commit only asks for the next one. */
    long stateBudgetBytes() {
        return store.stateBytes() / lanes() + LEAST_OF_A_LANE;
    }

    /** How many lanes there are. */
    int lanes() {
        return merged() ? 1 : topic.partitionCount();
    }

    /** The partitions of a lane. */
    List<Partition> partitions(int lane) {
        return merged() ? topic.partitions() : List.of(topic.partition(lane));
    }

    /** About how much heap the uncommitted rows of a lane may take; what is more is written ahead of the commit. */
    long rowBudgetBytes() {
        return store.stateBytes() / 4 / lanes() + LEAST_OF_A_LANE;
    }

    void checkPlace(Object key, int partition) {
        if (keyBytes == null) {
            return;
        }
        int expected = topic.partitionFor(keyBytes.apply(key));
        if (expected != partition) {
            throw new IllegalStateException("the key '" + key + "' was found in partition " + partition + " of "
                    + topic.name() + " but belongs to partition " + expected
                    + ": key by what the records are partitioned by, give recordKeys the encoding of the keys, or declare"
                    + " placedExplicitly");
        }
    }
}
