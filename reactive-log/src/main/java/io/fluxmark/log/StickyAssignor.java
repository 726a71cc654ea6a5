package io.fluxmark.log;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what members have, gives what nobody has to whoever has least, then evens out along chains: from a member with more, possibly
 * over others that want topics in common, to one that has at least two fewer. When no such chain is left, the division is as even as
 * the topics allow. Used once.
 */
final class StickyAssignor {

    private final List<MemberSubscription> members;
    private final SortedMap<String, Integer> counts;
    private final Map<String, NavigableSet<PartitionId>> holdings = new TreeMap<>();

    private StickyAssignor(List<MemberSubscription> members, SortedMap<String, Integer> counts) {
        this.members = members;
        this.counts = counts;
    }

    static Map<PartitionId, String> assign(List<MemberSubscription> members, SortedMap<String, Integer> counts) {
        StickyAssignor assignor = new StickyAssignor(members, counts);
        assignor.giveOut(assignor.keep());
        assignor.evenOut();
        Map<PartitionId, String> owners = new HashMap<>();
        assignor.holdings.forEach((member, held) -> held.forEach(partition -> owners.put(partition, member)));
        return owners;
    }

    /** Everybody keeps what it may; the partitions that are left. */
    private NavigableSet<PartitionId> keep() {
        TreeSet<PartitionId> free = new TreeSet<>();
        counts.forEach((topic, count) -> {
            for (int p = 0; p < count; p++) {
                free.add(new PartitionId(topic, p));
            }
        });
        for (MemberSubscription member : members) {
            TreeSet<PartitionId> kept = new TreeSet<>();
            for (PartitionId owned : member.owned()) {
                if (member.topics().contains(owned.topic()) && free.remove(owned)) {
                    kept.add(owned);
                }
            }
            holdings.put(member.member(), kept);
        }
        return free;
    }

    private void giveOut(NavigableSet<PartitionId> free) {
        for (PartitionId partition : free) {
            members.stream()
                    .filter(member -> member.topics().contains(partition.topic()))
                    .min(Comparator.comparingInt(this::load))
                    .ifPresent(member -> held(member).add(partition));
        }
    }

    private void evenOut() {
        boolean moved;
        do {
            moved = false;
            List<MemberSubscription> fullestFirst = new ArrayList<>(members);
            fullestFirst.sort(Comparator.comparingInt(this::load).reversed());
            for (MemberSubscription from : fullestFirst) {
                if (moveAlongChain(from)) {
                    moved = true;
                    break;
                }
            }
        } while (moved);
    }

    /** Breadth first and to whoever has least, so that as few partitions move as can. */
    private boolean moveAlongChain(MemberSubscription from) {
        List<MemberSubscription> emptiestFirst = new ArrayList<>(members);
        emptiestFirst.sort(Comparator.comparingInt(this::load));
        Map<String, Step> reached = new HashMap<>();
        Deque<MemberSubscription> next = new ArrayDeque<>(List.of(from));
        while (!next.isEmpty()) {
            MemberSubscription giver = next.remove();
            Set<String> topics = new HashSet<>();
            for (PartitionId partition : held(giver).descendingSet()) {
                if (!topics.add(partition.topic())) {
                    continue;
                }
                for (MemberSubscription taker : emptiestFirst) {
                    if (taker.equals(from)
                            || !taker.topics().contains(partition.topic())
                            || reached.containsKey(taker.member())) {
                        continue;
                    }
                    reached.put(taker.member(), new Step(giver, partition));
                    if (load(taker) + 2 <= load(from)) {
                        move(reached, taker);
                        return true;
                    }
                    next.add(taker);
                }
            }
        }
        return false;
    }

    private void move(Map<String, Step> reached, MemberSubscription end) {
        MemberSubscription taker = end;
        for (@Nullable Step step = reached.get(taker.member()); step != null; step = reached.get(taker.member())) {
            held(step.giver).remove(step.partition);
            held(taker).add(step.partition);
            taker = step.giver;
        }
    }

    private NavigableSet<PartitionId> held(MemberSubscription member) {
        return holdings.computeIfAbsent(member.member(), name -> new TreeSet<>());
    }

    private int load(MemberSubscription member) {
        return held(member).size();
    }

    private record Step(MemberSubscription giver, PartitionId partition) {}
}
