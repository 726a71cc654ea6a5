package io.fluxmark.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;

class ConsumerGroupTest {

    private static final PartitionId FIRST = new PartitionId("t", 0);

    @TempDir
    Path directory;

    private static long generations(List<Assignment> seen) {
        return seen.stream().mapToLong(Assignment::generation).distinct().count();
    }

    /** S49: cooperative members keep what does not move; eager ones give everything up first. */
    @ParameterizedTest
    @EnumSource
    void everyAssignmentIsAGenerationAndOnlyEagerOnesTakeEverything(RebalanceProtocol protocol) {
        try (GroupFixture fixture = new GroupFixture(directory)) {
            fixture.topic("t", 4, 0);
            List<GroupEvent> events = new ArrayList<>();
            ConsumerGroup group =
                    fixture.log.group("g", fixture.spec().protocol(protocol).listener(events::add));
            List<Assignment> seen = new ArrayList<>();
            GroupMember a = fixture.get(group.join("t"));
            a.assignments().subscribe(seen::add);
            fixture.pass(10);
            assertThat(a.assignment().partitions()).hasSize(4);
            GroupMember b = fixture.get(group.join("t"));
            fixture.pass(100);
            assertThat(a.assignment().partitions()).hasSize(2);
            assertThat(b.assignment().partitions())
                    .hasSize(2)
                    .doesNotContainAnyElementsOf(a.assignment().partitions());
            assertThat(seen).isSortedAccordingTo((x, y) -> Long.compare(x.generation(), y.generation()));
            assertThat(generations(seen)).isEqualTo(seen.size());
            assertThat(events.stream().filter(event -> event.kind() == GroupEvent.Kind.REVOKED))
                    .hasSize(protocol == RebalanceProtocol.EAGER ? 4 : 2);
        }
    }

    /** S49: a commit of an old generation is refused, all of it, and counted. */
    @Test
    void aCommitOfAnOldGenerationIsRefusedAsAWhole() {
        try (GroupFixture fixture = new GroupFixture(directory)) {
            fixture.topic("t", 2, 10);
            ConsumerGroup group = fixture.log.group("g", fixture.spec());
            GroupMember a = fixture.get(group.join("t"));
            fixture.pass(10);
            long old = a.assignment().generation();
            fixture.all(a.commit(old, Map.of(FIRST, 4L, new PartitionId("t", 1), 5L)));
            GroupMember b = fixture.get(group.join("t"));
            fixture.pass(10);
            PartitionId moved = b.assignment().partitions().first();
            assertThatThrownBy(() -> fixture.all(a.commit(old, Map.of(FIRST, 7L, new PartitionId("t", 1), 7L))))
                    .isInstanceOf(StaleGenerationException.class)
                    .hasMessageContaining("for generation " + old + ", which is over");
            assertThat(group.refusedCommits()).isEqualTo(1);
            assertThat(fixture.committed("g", "t", 0)).isEqualTo(4);
            assertThat(fixture.committed("g", "t", 1)).isEqualTo(5);
            fixture.all(b.commit(b.assignment().generation(), moved, 9));
            assertThat(fixture.committed("g", "t", moved.partition())).isEqualTo(9);
            assertThatThrownBy(() -> fixture.all(b.commit(b.assignment().generation(), moved, 11)))
                    .hasMessageContaining("between 0 and the end, 10");
        }
    }

    /** S50: slow is no reason to be thrown out; not giving up what is revoked is, after a time. */
    @Test
    void aSlowMemberStaysAndOneThatHangsInARevocationIsFenced() {
        try (GroupFixture fixture = new GroupFixture(directory)) {
            fixture.topic("t", 2, 10);
            ConsumerGroup group = fixture.log.group("g", fixture.spec());
            GroupMember slow = fixture.get(group.join("t"));
            GroupFixture.Holder holder = GroupFixture.Holder.of(slow, 100);
            fixture.pass(24 * 3_600_000L);
            assertThat(slow.assignment().partitions())
                    .as("after a day with a record")
                    .hasSize(2);
            GroupMember other = fixture.get(group.join("t"));
            fixture.pass(GroupFixture.REVOKE.toMillis() - 100);
            assertThat(other.assignment().partitions()).isEmpty();
            fixture.pass(200);
            assertThat(other.assignment().partitions()).hasSize(2);
            assertThat(holder.failure).isInstanceOf(MemberFencedException.class);
            assertThat(holder.held.get(0).acknowledge())
                    .as("of a fenced member")
                    .isFalse();
            assertThat(group.fencedMembers()).isEqualTo(1);
            assertThat(group.refusedAcknowledgements()).isEqualTo(1);
        }
    }

    @Test
    void aStaticMemberThatComesBackGetsItsPartitionsWithoutARebalance() {
        try (GroupFixture fixture = new GroupFixture(directory)) {
            fixture.topic("t", 4, 10);
            ConsumerGroup group = fixture.log.group("g", fixture.spec());
            MemberSpec named = MemberSpec.topics("t").instanceId("one");
            GroupMember one = fixture.get(group.join(named));
            GroupMember two = fixture.get(group.join("t"));
            fixture.pass(10);
            var had = one.assignment().partitions();
            long rebalances = group.rebalances();
            assertThatThrownBy(() -> fixture.get(group.join(named))).hasMessageContaining("a member one already");
            fixture.all(one.leave());
            fixture.pass(2_000);
            assertThat(two.assignment().partitions()).as("waited for").hasSize(2);
            GroupMember again = fixture.get(group.join(named));
            fixture.pass(10);
            assertThat(again.assignment().partitions()).isEqualTo(had);
            assertThat(group.rebalances()).isEqualTo(rebalances);
            fixture.all(again.leave());
            fixture.pass(4_000);
            assertThat(two.assignment().partitions()).as("waited long enough").hasSize(4);
        }
    }

    @Test
    void pausedPartitionsHandOutNothing() {
        try (GroupFixture fixture = new GroupFixture(directory)) {
            fixture.topic("t", 2, 5);
            GroupMember member =
                    fixture.get(fixture.log.group("g", fixture.spec()).join("t"));
            fixture.pass(10);
            member.pause(FIRST);
            GroupFixture.Holder holder = GroupFixture.Holder.of(member, 100);
            fixture.pass(100);
            assertThat(holder.seen).allMatch(seen -> seen.startsWith("t/1"));
            assertThat(member.paused()).containsExactly(FIRST);
            member.resume(FIRST);
            fixture.pass(100);
            assertThat(holder.seen).hasSize(10);
            assertThatThrownBy(() -> member.pause(new PartitionId("t", 7))).hasMessageContaining("does not hold t/7");
        }
    }

    @Test
    void noMoreIsHandedOutThanMayBeUnacknowledged() {
        try (GroupFixture fixture = new GroupFixture(directory)) {
            fixture.topic("t", 2, 50);
            GroupMember member = fixture.get(
                    fixture.log.group("g", fixture.spec().maxUnacknowledged(3)).join("t"));
            GroupFixture.Holder holder = GroupFixture.Holder.of(member, 1_000);
            fixture.pass(1_000);
            assertThat(holder.seen).hasSize(6);
            holder.acknowledgeAll();
            fixture.pass(100);
            assertThat(holder.seen).hasSize(12);
        }
    }

    @Test
    void offsetsAreResetOnlyWhileNobodyReads() {
        try (GroupFixture fixture = new GroupFixture(directory)) {
            Topic topic = fixture.topic("t", 1, 10);
            fixture.pass(5_000);
            GroupFixture.fill(topic, 0, 10);
            ConsumerGroup group = fixture.log.group("g", fixture.spec());
            GroupMember member = fixture.get(group.join("t"));
            assertThatThrownBy(() -> fixture.all(group.reset(GroupReset.earliest())))
                    .isInstanceOf(GroupActiveException.class)
                    .hasMessageContaining(member.id());
            fixture.all(member.leave());
            assertThat(reset(fixture, group, GroupReset.latest())).isEqualTo(20);
            assertThat(reset(fixture, group, GroupReset.shift(-3))).isEqualTo(17);
            assertThat(reset(fixture, group, GroupReset.shift(Long.MAX_VALUE))).isEqualTo(20);
            assertThat(reset(fixture, group, GroupReset.shift(Long.MIN_VALUE))).isZero();
            assertThat(reset(fixture, group, GroupReset.time(Instant.ofEpochMilli(4_000))))
                    .isEqualTo(10);
            assertThat(reset(fixture, group, GroupReset.earliest())).isZero();
        }
    }

    private static long reset(GroupFixture fixture, ConsumerGroup group, GroupReset to) {
        long offset = fixture.get(group.reset("t", to)).offsets().get(FIRST);
        assertThat(fixture.committed(group.name(), "t", 0)).isEqualTo(offset);
        return offset;
    }

    @Test
    void withoutAnOffsetItBeginsAsThePolicySaysAndCountsIt() {
        try (GroupFixture fixture = new GroupFixture(directory)) {
            fixture.topic("t", 1, 10);
            ConsumerGroup fails = fixture.log.group("fails", fixture.spec().start(OffsetPolicy.FAIL));
            assertThatThrownBy(() -> fixture.get(fails.join("t")))
                    .isInstanceOf(NoCommittedOffsetException.class)
                    .hasMessageContaining("it has committed none");
            ConsumerGroup latest = fixture.log.group("latest", fixture.spec().start(OffsetPolicy.LATEST));
            GroupFixture.Holder holder = GroupFixture.Holder.of(fixture.get(latest.join("t")), 10);
            fixture.pass(100);
            assertThat(holder.seen).isEmpty();
            assertThat(latest.startsWithoutOffset()).isEqualTo(1);
            assertThat(fixture.committed("latest", "t", 0))
                    .as("the same after a restart")
                    .isEqualTo(10);
            assertThat(latest.lostRecords()).as("it had read none of them").isZero();
        }
    }

    @Test
    void offsetsAreReadBesideTheProcessThatHasTheLogOpenAndADamagedFileIsNoEmptyOne() throws Exception {
        Path file = directory.resolve("groups").resolve("g.offsets");
        try (GroupFixture fixture = new GroupFixture(directory)) {
            fixture.topic("t", 1, 10);
            GroupMember member =
                    fixture.get(fixture.log.group("g", fixture.spec()).join("t"));
            fixture.pass(10);
            fixture.all(member.commit(member.assignment().generation(), FIRST, 6));
            assertThat(GroupOffsets.read(directory).collectList().block(Logs.WAIT))
                    .singleElement()
                    .satisfies(group -> assertThat(group.offsets()).containsExactly(Map.entry(FIRST, 6L)));
            assertThat(fixture.all(fixture.log.groups())).singleElement().satisfies(group -> {
                assertThat(group.lag()).isEqualTo(4);
                assertThat(group.members()).hasSize(1);
            });
        }
        byte[] content = Files.readAllBytes(file);
        for (int i = 0; i < content.length; i++) {
            byte[] damaged = content.clone();
            damaged[i] ^= 1;
            Files.write(file, damaged);
            assertThatThrownBy(() -> GroupOffsets.read(directory).blockLast(Logs.WAIT))
                    .as("byte %d", i)
                    .hasMessageContaining("g.offsets");
        }
        try (GroupFixture again = new GroupFixture(directory)) {
            assertThatThrownBy(
                            () -> again.get(again.log.group("g", again.spec()).join("t")))
                    .hasMessageContaining("is damaged");
        }
    }

    @Test
    void aMemberWhoseTopicIsDeletedLearnsItAndTheGroupGoesOn() {
        try (GroupFixture fixture = new GroupFixture(directory)) {
            fixture.topic("t", 1, 5);
            fixture.topic("u", 1, 5);
            ConsumerGroup group = fixture.log.group("g", fixture.spec());
            GroupFixture.Holder both =
                    GroupFixture.Holder.of(fixture.get(group.join(MemberSpec.topics("t", "u"))), 100);
            fixture.pass(100);
            assertThat(both.seen).hasSize(10);
            both.acknowledgeAll();
            fixture.log.deleteTopic("t").block(Logs.WAIT);
            fixture.passUntil(() -> both.failure != null);
            assertThat(both.failure).isInstanceOf(TopicDeletedException.class);
            GroupMember other = fixture.get(group.join("u"));
            fixture.pass(5_000);
            assertThat(fixture.get(group.describe()).members()).hasSize(2);
            assertThat(other.assignment()).isNotNull();
        }
    }

    @Test
    void whatCannotBeIsNamedWithTheRemedy() {
        try (GroupFixture fixture = new GroupFixture(directory)) {
            fixture.topic("t", 3, 0);
            assertThatThrownBy(() -> fixture.log.group("a/b")).hasMessageContaining("'a/b' must be 1 to 200");
            ConsumerGroup few = fixture.log.group("few", fixture.spec().maxPartitions(2));
            assertThatThrownBy(() -> fixture.get(few.join("t"))).hasMessageContaining("raise GroupSpec.maxPartitions");
            ConsumerGroup one = fixture.log.group("one", fixture.spec().maxMembers(1));
            fixture.get(one.join("t"));
            assertThatThrownBy(() -> fixture.get(one.join("t"))).hasMessageContaining("raise GroupSpec.maxMembers");
            assertThatThrownBy(() -> fixture.get(one.join("missing"))).isInstanceOf(UnknownTopicException.class);
            assertThatThrownBy(() -> fixture.log.group("one", fixture.spec()))
                    .hasMessageContaining("in use with another GroupSpec");
            assertThatThrownBy(() -> GroupSpec.defaults().prefetch(0)).hasMessageContaining("prefetch");
            assertThatThrownBy(() -> GroupSpec.defaults().revokeTimeout(Duration.ZERO))
                    .hasMessageContaining("revokeTimeout");
        }
    }

    /** A member that is cancelled while it joins leaves nothing behind. */
    @Test
    void whoCancelsWhileJoiningIsNoMember() {
        try (GroupFixture fixture = new GroupFixture(directory)) {
            fixture.topic("t", 1, 0);
            ConsumerGroup group = fixture.log.group("g", fixture.spec());
            Mono<GroupMember> join = group.join("t");
            // In a task of the clock nothing of it is done before it is cancelled.
            fixture.time.schedule(() -> join.subscribe().dispose());
            fixture.pass(100);
            assertThat(fixture.get(group.describe()).members()).isEmpty();
            GroupMember member = fixture.get(join);
            fixture.pass(100);
            assertThat(member.assignment().partitions()).containsExactly(FIRST);
        }
    }
}
