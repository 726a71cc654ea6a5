package io.fluxmark.log;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/** Assignors that do not look at who has what. Stateless. */
final class SimpleAssignors {

    private SimpleAssignors() {}

    static Map<PartitionId, String> range(List<MemberSubscription> members, SortedMap<String, Integer> counts) {
        Map<PartitionId, String> owners = new HashMap<>();
        counts.forEach((topic, count) -> {
            List<MemberSubscription> takers = takers(members, topic);
            int first = 0;
            for (int i = 0; i < takers.size(); i++) {
                int share = count / takers.size() + (i < count % takers.size() ? 1 : 0);
                for (int p = first; p < first + share; p++) {
                    owners.put(new PartitionId(topic, p), takers.get(i).member());
                }
                first += share;
            }
        });
        return owners;
    }

    static Map<PartitionId, String> roundRobin(List<MemberSubscription> members, SortedMap<String, Integer> counts) {
        Map<PartitionId, String> owners = new HashMap<>();
        int next = 0;
        for (Map.Entry<String, Integer> topic : counts.entrySet()) {
            for (int p = 0; p < topic.getValue(); p++) {
                while (!members.get(next % members.size()).topics().contains(topic.getKey())) {
                    next++;
                }
                owners.put(
                        new PartitionId(topic.getKey(), p),
                        members.get(next % members.size()).member());
                next++;
            }
        }
        return owners;
    }

    private static List<MemberSubscription> takers(List<MemberSubscription> members, String topic) {
        return members.stream()
                .filter(member -> member.topics().contains(topic))
                .toList();
    }
}
