package io.fluxmark.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class AssignorTest {

    private static final int CASES = Logs.thorough() ? 20_000 : 1_000;
    private static final long SEED = 49;

    private static SortedSet<PartitionId> of(Map<PartitionId, String> owners, String member) {
        return owners.entrySet().stream()
                .filter(each -> each.getValue().equals(member))
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static List<MemberSubscription> owning(List<MemberSubscription> members, Map<PartitionId, String> owners) {
        return members.stream()
                .map(member -> new MemberSubscription(member.member(), member.topics(), of(owners, member.member())))
                .toList();
    }

    private static List<MemberSubscription> members(int count, Set<String> topics) {
        List<MemberSubscription> members = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            members.add(MemberSubscription.of("m" + i, topics, Set.of()));
        }
        return members;
    }

    @Test
    void rangeGivesConsecutivePartitionsOfEachTopicAndRoundRobinOneInTurn() {
        List<MemberSubscription> two = members(2, Set.of("a", "b"));
        SortedMap<String, Integer> counts = new TreeMap<>(Map.of("a", 3, "b", 3));
        assertThat(of(Assignor.range().assign(two, counts), "m0"))
                .extracting(PartitionId::toString)
                .containsExactly("a/0", "a/1", "b/0", "b/1");
        assertThat(of(Assignor.roundRobin().assign(two, counts), "m0"))
                .extracting(PartitionId::toString)
                .containsExactly("a/0", "a/2", "b/1");
    }

    @Test
    void everyPartitionHasOneOwnerThatWantsItWhateverMembersWant() {
        Random random = new Random(SEED);
        for (int i = 0; i < CASES; i++) {
            SortedMap<String, Integer> counts = new TreeMap<>();
            for (int t = random.nextInt(4); t >= 0; t--) {
                counts.put("t" + t, 1 + random.nextInt(8));
            }
            List<String> topics = new ArrayList<>(counts.keySet());
            List<MemberSubscription> members = new ArrayList<>();
            for (int m = 0; m <= random.nextInt(6); m++) {
                Collections.shuffle(topics, random);
                Set<String> wanted = new TreeSet<>(topics.subList(0, 1 + random.nextInt(topics.size())));
                Set<PartitionId> owned = new TreeSet<>();
                for (int o = random.nextInt(6); o > 0; o--) {
                    owned.add(new PartitionId("t" + random.nextInt(5), random.nextInt(9)));
                }
                members.add(MemberSubscription.of("m" + m, wanted, owned));
            }
            counts.keySet()
                    .retainAll(members.stream()
                            .flatMap(member -> member.topics().stream())
                            .collect(Collectors.toSet()));
            for (Assignor assignor : List.of(Assignor.range(), Assignor.roundRobin(), Assignor.cooperativeSticky())) {
                Map<PartitionId, String> owners = assignor.assign(members, counts);
                AssignmentCheck.check(owners, members, counts);
                assertThat(assignor.assign(members, counts))
                        .as("the same again, case %d", i)
                        .isEqualTo(owners);
            }
        }
        System.out.println("assignors: " + CASES + " cases, seed " + SEED);
    }

    /** Members come and go; of those that stay none gives up more than evenness asks for. */
    @Test
    void theStickyOneIsEvenAndMovesNoMoreThanItMust() {
        Random random = new Random(SEED);
        for (int i = 0; i < CASES; i++) {
            SortedMap<String, Integer> counts = new TreeMap<>(Map.of("t", 1 + random.nextInt(30)));
            int partitions = counts.get("t");
            Map<PartitionId, String> owners = Map.of();
            for (int change = 0; change < 5; change++) {
                List<MemberSubscription> members = owning(members(1 + random.nextInt(8), Set.of("t")), owners);
                Map<PartitionId, String> next = Assignor.cooperativeSticky().assign(members, counts);
                int even = partitions / members.size();
                int fuller = partitions % members.size();
                int needed = 0;
                List<Integer> before = new ArrayList<>();
                for (MemberSubscription member : members) {
                    assertThat(of(next, member.member()).size()).isBetween(even, even + (fuller > 0 ? 1 : 0));
                    before.add(member.owned().size());
                }
                before.sort(Collections.reverseOrder());
                for (int m = 0; m < before.size(); m++) {
                    needed += Math.max(0, before.get(m) - even - (m < fuller ? 1 : 0));
                }
                int moved = 0;
                for (MemberSubscription member : members) {
                    SortedSet<PartitionId> lost = new TreeSet<>(member.owned());
                    lost.removeAll(of(next, member.member()));
                    moved += lost.size();
                }
                assertThat(moved).as("case %d, change %d", i, change).isEqualTo(needed);
                owners = next;
            }
        }
        System.out.println("sticky assignor: " + 5 * CASES + " changes, seed " + SEED);
    }

    @Test
    void anAnswerThatCannotBeUsedIsNamed() {
        List<MemberSubscription> one = members(1, Set.of("a"));
        SortedMap<String, Integer> counts = new TreeMap<>(Map.of("a", 2));
        PartitionId first = new PartitionId("a", 0);
        assertThatThrownBy(() -> AssignmentCheck.check(Map.of(first, "m0"), one, counts))
                .hasMessageContaining("a/1 to nobody");
        assertThatThrownBy(() -> AssignmentCheck.check(Map.of(first, "x"), one, counts))
                .hasMessageContaining("a/0 to x, who is no member");
        assertThatThrownBy(() -> AssignmentCheck.check(
                        Map.of(first, "m0", new PartitionId("a", 1), "m0", new PartitionId("a", 2), "m0"), one, counts))
                .hasMessageContaining("gave out 3 partitions where there are 2");
    }
}
