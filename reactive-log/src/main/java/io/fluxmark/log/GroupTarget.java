package io.fluxmark.log;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.util.Logger;
import reactor.util.Loggers;

/** Who is to have what. Used in the group's tasks only. */
final class GroupTarget {

    private static final Logger LOG = Loggers.getLogger(GroupTarget.class);

    private final String group;
    private final Assignor assignor;
    private final Function<String, Topic> topics;
    private final GroupCounters counters;
    private SortedMap<PartitionId, String> owners = new TreeMap<>();

    GroupTarget(String group, Assignor assignor, Function<String, Topic> topics, GroupCounters counters) {
        this.group = group;
        this.assignor = assignor;
        this.topics = topics;
        this.counters = counters;
    }

    SortedMap<PartitionId, String> owners() {
        return owners;
    }

    @Nullable
    String ownerOf(PartitionId partition) {
        return owners.get(partition);
    }

    /** How many partitions are divided of topics other than these. */
    int partitionsBeside(Set<String> others) {
        return (int) owners.keySet().stream()
                .filter(partition -> !others.contains(partition.topic()))
                .count();
    }

    /** Divides anew. */
    void compute(Collection<Member> members) {
        if (members.isEmpty()) {
            owners = new TreeMap<>();
            return;
        }
        Map<String, SortedSet<PartitionId>> held = new HashMap<>();
        owners.forEach((partition, member) ->
                held.computeIfAbsent(member, name -> new TreeSet<>()).add(partition));
        SortedMap<String, Integer> counts = new TreeMap<>();
        members.forEach(member -> member.spec().topics().forEach(topic -> {
            try {
                counts.put(topic, topics.apply(topic).partitionCount());
            } catch (UnknownTopicException e) {
                LOG.warn("topic {} of group {} has been deleted", topic, group);
            }
        }));
        List<MemberSubscription> subscriptions = members.stream()
                .map(member -> new MemberSubscription(
                        member.id(), member.spec().topics(), held.getOrDefault(member.id(), new TreeSet<>())))
                .sorted(Comparator.comparing(MemberSubscription::member))
                .toList();
        owners = new TreeMap<>(assign(subscriptions, counts));
    }

    private Map<PartitionId, String> assign(List<MemberSubscription> subscriptions, SortedMap<String, Integer> counts) {
        try {
            Map<PartitionId, String> assigned = assignor.assign(subscriptions, counts);
            AssignmentCheck.check(assigned, subscriptions, counts);
            return assigned;
        } catch (RuntimeException e) {
            counters.assignorFailures.increment();
            LOG.error("the assignor of group " + group + " failed; the sticky one takes its place this time", e);
            return StickyAssignor.assign(subscriptions, counts);
        }
    }
}
