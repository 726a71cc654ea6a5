package io.fluxmark.log;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Where a group begins in its partitions: at the committed offset, or, where there is none that the partition has, as the spec says; that
 * is committed before anything is read, so that it is the same after a restart. Used in the group's tasks only.
 */
final class GroupStarts {

    private final GroupCoordinator group;
    private final Function<String, Topic> topics;
    private final OffsetCommits commits;
    private final Set<PartitionId> beingCommitted = new HashSet<>();

    GroupStarts(GroupCoordinator group, Function<String, Topic> topics, OffsetCommits commits) {
        this.group = group;
        this.topics = topics;
        this.commits = commits;
    }

    /**
     * Where to begin, or null if that is being committed first: the group looks again then.
     *
     * @param failed is told, in a task of its own, if there is nowhere to begin
     */
    @Nullable
    Long in(PartitionId id, Partition partition, Consumer<RuntimeException> failed) {
        Long committed = commits.committed(id);
        if (isThere(committed, partition)) {
            return committed;
        }
        OffsetPolicy position = group.spec().start();
        if (position == OffsetPolicy.FAIL) {
            RuntimeException failure = failure(id, partition, committed);
            group.tasks().run(() -> failed.accept(failure));
        } else if (beingCommitted.add(id)) {
            long start = position == OffsetPolicy.LATEST ? partition.endOffset() : partition.beginOffset();
            commits.put(Map.of(id, start), error -> {
                beingCommitted.remove(id);
                if (error == null) {
                    countReset(committed, start);
                    group.follow();
                } else {
                    group.retry("cannot commit where group " + group.name() + " begins in " + id, error, group::follow);
                }
            });
        }
        return null;
    }

    /**
     * Passes if there is somewhere to begin in all partitions.
     *
     * @throws NoCommittedOffsetException if not
     */
    void require(Set<String> of) {
        if (group.spec().start() != OffsetPolicy.FAIL) {
            return;
        }
        for (String topic : of) {
            for (Partition partition : topics.apply(topic).partitions()) {
                PartitionId id = new PartitionId(topic, partition.id());
                Long committed = commits.committed(id);
                if (!isThere(committed, partition)) {
                    throw failure(id, partition, committed);
                }
            }
        }
    }

    void countReset(@Nullable Long before, long start) {
        group.counters().resets.increment();
        if (before != null) {
            group.counters().lostRecords.add(Math.max(0, start - before));
        }
    }

    private static boolean isThere(@Nullable Long committed, Partition partition) {
        return committed != null && committed >= partition.beginOffset() && committed <= partition.endOffset();
    }

    private NoCommittedOffsetException failure(PartitionId id, Partition partition, @Nullable Long committed) {
        return new NoCommittedOffsetException(
                group.name(),
                id,
                committed == null ? "it has committed none" : "it has committed " + committed + " of " + partition);
    }
}
