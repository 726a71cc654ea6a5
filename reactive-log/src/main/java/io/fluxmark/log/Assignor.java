package io.fluxmark.log;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * Divides partitions among the members of a group. Implementations are stateless or thread-safe, answer at once, and answer the same
 * to the same question.
 *
 * <p>An answer is used only if it gives every partition of every topic that somebody wants to exactly one of those who want it. If
 * it does not, or if the assignor throws, {@link #cooperativeSticky()} is asked instead and {@link ConsumerGroup#assignorFailures()}
 * counts it: a group does not stand still for a mistake in here.
 */
@FunctionalInterface
public interface Assignor {

    /**
     * Who gets what.
     *
     * @param members in order of their names, at least one
     * @param partitionCounts how many partitions each topic has that somebody wants
     * @return the member of each partition
     */
    Map<PartitionId, String> assign(List<MemberSubscription> members, SortedMap<String, Integer> partitionCounts);

    /** Of each topic consecutive partitions, the first members one more where it does not come out even. */
    static Assignor range() {
        return SimpleAssignors::range;
    }

    /** All partitions in order, one for each member in turn. */
    static Assignor roundRobin() {
        return SimpleAssignors::roundRobin;
    }

    /**
     * As even as the topics allow, where each keeps what it has as far as that is possible: if all want the same topics, no two
     * differ by more than one, and a partition moves only for that.
     */
    static Assignor cooperativeSticky() {
        return StickyAssignor::assign;
    }
}
