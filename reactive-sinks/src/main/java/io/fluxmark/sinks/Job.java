package io.fluxmark.sinks;

import io.fluxmark.log.ConsumerGroup;
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
 * @param sources the topic that it reads, or the two of a join
 * @param divided the stages whose keys are divided among threads
 * @param threads how many these are; 0 where there is no such stage
 */
record Job(
        JobDescription description,
        String identity,
        List<LogSource.TopicSource> sources,
        StateStore store,
        CheckpointSpec spec,
        List<String> divided,
        int threads) {

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

    /** The same of one of the threads that a stage's keys are divided among, which share what a lane has with other such stages. */
    long dividedStateBytes(int ofThreads) {
        return stateBudgetBytes() / ofThreads / Math.max(1, divided.size()) + LEAST_OF_A_LANE;
    }

    /** What it reads. */
    JobTopics topics() {
        return new JobTopics(sources.stream().map(LogSource.TopicSource::topic).toList());
    }

    /** The topic that it reads, of two the left one. */
    Topic topic() {
        return sources.get(0).topic();
    }

    /** The group that divides the lanes among subscriptions; null for one subscription that has all. */
    @Nullable
    ConsumerGroup group() {
        return sources.get(0).group();
    }

    /** How many lanes there are. */
    int lanes() {
        return merged() ? 1 : topics().lanes();
    }

    /** About how much heap the uncommitted rows of a lane may take; what is more is written ahead of the commit. */
    long rowBudgetBytes() {
        return store.stateBytes() / 4 / lanes() + LEAST_OF_A_LANE;
    }

    void checkPlace(Object key, int partition) {
        for (LogSource.TopicSource source : sources) {
            checkPlace(source, key, partition);
        }
    }

    private static void checkPlace(LogSource.TopicSource source, Object key, int partition) {
        Function<Object, byte[]> keyBytes = source.keyBytes();
        if (keyBytes == null) {
            return;
        }
        int expected = source.topic().partitionFor(keyBytes.apply(key));
        if (expected != partition) {
            throw new IllegalStateException("the key '" + key + "' was found in partition " + partition + " of "
                    + source.topic().name() + " but belongs to partition " + expected
                    + ": key by what the records are partitioned by, give recordKeys the encoding of the keys, or declare"
                    + " placedExplicitly");
        }
    }
}
