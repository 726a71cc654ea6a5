package io.fluxmark.sinks;

import io.fluxmark.log.Partition;
import io.fluxmark.log.PartitionId;
import io.fluxmark.log.RetentionFloor;
import io.fluxmark.state.StateStore;
import io.fluxmark.state.StoreDurability;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;

/**
 * What a job needs of its topics: of each partition, what follows the oldest commit that its store may come back to. All of it,
 * until the lane is restored. Thread-safe.
 */
final class JobFloor implements RetentionFloor {

    /** By partition, the offsets of commits that may be come back to, the oldest first. */
    private final Map<PartitionId, Deque<Long>> commits = new HashMap<>();

    private final JobTopics topics;

    /** How many commits before the newest one the store may come back to. */
    private final int older;

    private final Disposable.Composite registrations = Disposables.composite();

    JobFloor(JobTopics topics, StoreDurability durability) {
        this.topics = topics;
        // The newest commit may be lost before any of those counts as one that a store keeps.
        this.older = StateStore.COMMITS_KEPT + (durability == StoreDurability.OS ? 1 : 0);
        topics.topics().forEach(topic -> registrations.add(topic.register(this)));
    }

    /** Whether it is about those topics of those logs. */
    boolean isOf(JobTopics others) {
        return topics.equals(others);
    }

    private static PartitionId id(Partition partition) {
        return new PartitionId(partition.topic(), partition.id());
    }

    /** A lane begins where its store has come back to. */
    synchronized void restored(Partition partition, LanePosition.Offsets start) {
        Deque<Long> offsets = commits.computeIfAbsent(id(partition), p -> new ArrayDeque<>());
        offsets.removeIf(offset -> offset >= start.next());
        if (offsets.isEmpty()) {
            offsets.add(start.oldest());
        }
        offsets.add(start.next());
    }

    /** A lane has committed, durably. */
    synchronized void committed(Partition partition, long nextOffset) {
        Deque<Long> offsets = commits.computeIfAbsent(id(partition), p -> new ArrayDeque<>());
        offsets.add(nextOffset);
        // Lanes share commits of the store, so that one of theirs is at least one of its.
        while (offsets.size() > older + 1) {
            offsets.remove();
        }
    }

    /** The lowest offset of a partition that may be read again. */
    long oldest(Partition partition) {
        return oldest(id(partition));
    }

    private synchronized long oldest(PartitionId partition) {
        Deque<Long> offsets = commits.get(partition);
        @Nullable Long oldest = offsets == null ? null : offsets.peek();
        return oldest == null ? 0 : oldest;
    }

    @Override
    public long lowestNeeded(String name, int partition) {
        return oldest(new PartitionId(name, partition));
    }

    /** The job has ended for good. */
    void release() {
        registrations.dispose();
    }
}
