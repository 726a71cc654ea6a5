package io.fluxmark.log;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;

/**
 * A group at a moment.
 *
 * @param group its name
 * @param generation the newest generation
 * @param members in order of their names; empty if the group is idle
 * @param partitions with a committed offset or an owner, in order
 */
public record GroupDescription(String group, long generation, List<Member> members, List<Progress> partitions) {

    public GroupDescription {
        Objects.requireNonNull(group, "group");
        members = List.copyOf(members);
        partitions = List.copyOf(partitions);
    }

    /** How many records the group has before it, over all partitions. */
    public long lag() {
        return partitions.stream().mapToLong(Progress::lag).sum();
    }

    /**
     * A member.
     *
     * @param id its name
     * @param topics what it wants to read
     * @param partitions what it holds
     * @param present false for a static member that left and is waited for
     */
    public record Member(String id, SortedSet<String> topics, SortedSet<PartitionId> partitions, boolean present) {}

    /**
     * How far the group has come in a partition.
     *
     * @param partition which
     * @param committed the first offset that is not finished
     * @param begin the first offset there is
     * @param end the offset behind the last record
     * @param owner the member that holds it, if any
     * @param unacknowledged records handed out and not committable yet
     */
    public record Progress(
            PartitionId partition, long committed, long begin, long end, Optional<String> owner, int unacknowledged) {

        /** How many records are there and not finished. */
        public long lag() {
            return Math.max(0, end - Math.max(begin, committed));
        }
    }
}
