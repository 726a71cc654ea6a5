package io.fluxmark.sinks;

import io.fluxmark.log.RetentionFloor;
import io.fluxmark.log.Topic;
import io.fluxmark.state.StateStore;
import io.fluxmark.state.StoreDurability;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;

/**
 * What a job needs of its topic: of each partition, what follows the oldest commit that its store may come back to. All of it,
 * until the lane is restored. Thread-safe.
 */
final class JobFloor implements RetentionFloor {

    /** By partition, the offsets of commits that may be come back to, the oldest first. */
    private final Map<Integer, Deque<Long>> commits = new HashMap<>();

    private final Topic topic;

    /** How many commits before the newest one the store may come back to. */
    private final int older;

    private final Disposable registration;

    JobFloor(Topic topic, StoreDurability durability) {
        this.topic = topic;
        // The newest commit may be lost before any of those counts as one that a store keeps.
        this.older = StateStore.COMMITS_KEPT + (durability == StoreDurability.OS ? 1 : 0);
        this.registration = topic.register(this);
    }

    /** Whether it is about that topic of that log. */
    boolean isOf(Topic other) {
        return topic == other;
    }

    /** A lane begins where its store has come back to. */
    synchronized void restored(int partition, LanePosition.Offsets start) {
        Deque<Long> offsets = commits.computeIfAbsent(partition, p -> new ArrayDeque<>());
        offsets.removeIf(offset -> offset >= start.next());
        if (offsets.isEmpty()) {
            offsets.add(start.oldest());
        }
        offsets.add(start.next());
    }

    /** A lane has committed, durably. */
    synchronized void committed(int partition, long nextOffset) {
        Deque<Long> offsets = commits.computeIfAbsent(partition, p -> new ArrayDeque<>());
        offsets.add(nextOffset);
        // Lanes share commits of the store, so that one of theirs is at least one of its.
        while (offsets.size() > older + 1) {
            offsets.remove();
        }
    }

    /** The lowest offset of a partition that may be read again. */
    synchronized long oldest(int partition) {
        Deque<Long> offsets = commits.get(partition);
        @Nullable Long oldest = offsets == null ? null : offsets.peek();
        return oldest == null ? 0 : oldest;
    }

    @Override
    public long lowestNeeded(String name, int partition) {
        return oldest(partition);
    }

    /** The job has ended for good. */
    void release() {
        registration.dispose();
    }
}
