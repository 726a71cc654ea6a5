package io.fluxmark.log;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Whether an assignor did what it is for. Stateless. */
final class AssignmentCheck {

    private AssignmentCheck() {}

    /**
     * Passes if each partition of each topic has exactly one owner that wants it.
     *
     * @throws IllegalStateException if not
     */
    static void check(
            Map<PartitionId, String> owners, List<MemberSubscription> members, SortedMap<String, Integer> counts) {
        Map<String, MemberSubscription> byName =
                members.stream().collect(Collectors.toMap(MemberSubscription::member, Function.identity()));
        int expected = 0;
        for (Map.Entry<String, Integer> topic : counts.entrySet()) {
            expected += topic.getValue();
            for (int p = 0; p < topic.getValue(); p++) {
                PartitionId partition = new PartitionId(topic.getKey(), p);
                String owner = owners.get(partition);
                MemberSubscription member = owner == null ? null : byName.get(owner);
                if (member == null) {
                    throw new IllegalStateException(
                            "the assignor gave " + partition + " to " + (owner == null ? "nobody" : owner)
                                    + ", who is no member; members are " + byName.keySet());
                }
                if (!member.topics().contains(topic.getKey())) {
                    throw new IllegalStateException(
                            "the assignor gave " + partition + " to " + owner + ", who wants only " + member.topics());
                }
            }
        }
        if (owners.size() != expected) {
            throw new IllegalStateException("the assignor gave out " + owners.size() + " partitions where there are "
                    + expected + " in " + counts);
        }
    }
}
