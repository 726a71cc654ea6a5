package io.fluxmark.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/** What other systems were reported to get wrong with offsets and rebalances, by the number of the report. */
class GroupCasesTest {

    @TempDir
    Path directory;

    private final List<Long> handled = new ArrayList<>();

    private Mono<Void> after(GroupFixture fixture, long millis, ConsumerRecord record) {
        return Mono.delay(Duration.ofMillis(millis), fixture.time)
                .doOnNext(passed -> handled.add(record.offset()))
                .then();
    }

    /** C47: a record that is still running holds the commit back, whatever behind it is done. */
    @Test
    void c47TheLowestUnfinishedRecordIsWhereItGoesOnAfterACrash() {
        try (GroupFixture fixture = new GroupFixture(directory)) {
            fixture.topic("t", 1, 10);
            GroupMember member =
                    fixture.get(fixture.log.group("g", fixture.spec()).join("t"));
            member.consume(
                            record -> after(fixture, record.offset() == 0 ? 20_000 : 3_000, record),
                            ConsumeSpec.defaults().concurrencyPerPartition(10))
                    .subscribe();
            fixture.pass(10_000);
            assertThat(handled).hasSize(9).doesNotContain(0L);
            assertThat(fixture.committed("g", "t", 0)).isZero();
        }
        handled.clear();
        try (GroupFixture again = new GroupFixture(directory)) {
            again.log
                    .group("g", again.spec())
                    .consume(MemberSpec.topics("t"), record -> after(again, 1, record), ConsumeSpec.defaults())
                    .subscribe();
            again.pass(1_000);
            assertThat(handled).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
        }
    }

    /** C49: acknowledgements in any order commit the highest contiguous offset, and never go back. */
    @Test
    void c49AcknowledgementsOutOfOrderNeverMoveTheCommitBack() {
        try (GroupFixture fixture = new GroupFixture(directory)) {
            fixture.topic("t", 1, 6);
            ConsumerGroup group = fixture.log.group("g", fixture.spec().commitInterval(Duration.ZERO));
            GroupMember member = fixture.get(group.join("t"));
            GroupFixture.Holder holder = GroupFixture.Holder.of(member, 10);
            fixture.pass(10);
            List<Long> commits = new ArrayList<>();
            for (int i : new int[] {0, 1, 3, 4, 2}) {
                holder.held.get(i).acknowledge();
                fixture.pass(10);
                commits.add(fixture.committed("g", "t", 0));
            }
            assertThat(commits).containsExactly(1L, 2L, 2L, 2L, 5L);
            PartitionId id = new PartitionId("t", 0);
            fixture.all(member.commit(member.assignment().generation(), id, 3));
            assertThat(fixture.committed("g", "t", 0)).isEqualTo(5);
        }
    }

    /** C50: what throws is not committed; C52: a retry begins with it, not with the next. */
    @Test
    void c50AndC52TheRecordThatFailedComesAgain() {
        try (GroupFixture fixture = new GroupFixture(directory)) {
            fixture.topic("t", 1, 5);
            ConsumerGroup group = fixture.log.group("g", fixture.spec());
            List<Long> seen = new ArrayList<>();
            AtomicReference<Throwable> failure = new AtomicReference<>();
            GroupMember member = fixture.get(group.join("t"));
            Mono<Void> consumed = member.consume(record -> {
                seen.add(record.offset());
                return record.offset() == 2 && seen.size() < 6
                        ? Mono.error(new IllegalStateException("third"))
                        : Mono.empty();
            });
            consumed.subscribe(null, failure::set);
            fixture.pass(1_000);
            assertThat(failure.get()).hasMessage("third");
            assertThat(fixture.committed("g", "t", 0)).isEqualTo(2);
            consumed.retryWhen(Retry.max(3)).subscribe();
            fixture.pass(1_000);
            assertThat(seen).containsExactly(0L, 1L, 2L, 2L, 2L, 2L, 3L, 4L);
            assertThat(fixture.committed("g", "t", 0)).isEqualTo(5);
        }
    }

    /** C53: what one has prefetched of a partition that moves, it never hands out. C55: the same owner again begins anew. */
    @Test
    void c53AndC55PrefetchedRecordsOfAnotherGenerationAreDropped() {
        try (GroupFixture fixture = new GroupFixture(directory)) {
            fixture.topic("t", 2, 3_000);
            ConsumerGroup group = fixture.log.group("g", fixture.spec().prefetch(256));
            GroupMember first = fixture.get(group.join("t"));
            GroupFixture.Holder a = GroupFixture.Holder.of(first, 80);
            fixture.pass(10);
            a.acknowledgeAll();
            GroupMember second = fixture.get(group.join("t"));
            GroupFixture.Holder b = GroupFixture.Holder.of(second, 10_000);
            a.request(10_000);
            for (int i = 0; i < 3_000; i++) {
                fixture.pass(1);
                a.acknowledgeAll();
                b.acknowledgeAll();
            }
            List<String> all = new ArrayList<>(a.seen);
            all.addAll(b.seen);
            assertThat(all).hasSize(6_000).doesNotHaveDuplicates();
            assertThat(b.seen.get(0)).isEqualTo("t/1@40");
            fixture.all(second.leave());
            GroupFixture.fill(fixture.log.topic("t"), 1, 10);
            fixture.passUntil(() -> {
                a.acknowledgeAll();
                return a.seen.contains("t/1@3009");
            });
            a.acknowledgeAll();
            fixture.pass(100);
            assertThat(fixture.committed("g", "t", 1)).isEqualTo(3_010);
        }
    }

    /** C56: a record that never completes goes to the dead letter after its time, or stops the member with its offset kept. */
    @Test
    void c56AStuckRecordGoesToTheDeadLetterOrStopsWithItsOffsetKept() {
        try (GroupFixture fixture = new GroupFixture(directory)) {
            fixture.topic("t", 1, 8);
            ConsumeSpec limited = ConsumeSpec.defaults().recordTimeout(Duration.ofSeconds(60));
            List<String> dead = new ArrayList<>();
            AtomicReference<Throwable> failure = new AtomicReference<>();
            fixture.log
                    .group("stops", fixture.spec())
                    .consume(MemberSpec.topics("t"), this::stuckAtFive, limited)
                    .subscribe(null, failure::set);
            fixture.log
                    .group("goes-on", fixture.spec())
                    .consume(
                            MemberSpec.topics("t"),
                            this::stuckAtFive,
                            limited.deadLetter((record, why) -> Mono.fromRunnable(() -> dead.add(
                                    record.offset() + " " + why.getClass().getSimpleName()))))
                    .subscribe();
            fixture.pass(59_000);
            assertThat(failure.get())
                    .as("a slow record is no reason for anything")
                    .isNull();
            fixture.pass(10_000);
            assertThat(failure.get()).isInstanceOf(RecordTimeoutException.class).hasMessageContaining("t/0");
            assertThat(fixture.committed("stops", "t", 0)).isEqualTo(5);
            assertThat(dead).containsExactly("5 RecordTimeoutException");
            assertThat(fixture.committed("goes-on", "t", 0)).isEqualTo(8);
        }
    }

    private Mono<Void> stuckAtFive(ConsumerRecord record) {
        return record.offset() == 5 ? Mono.never() : Mono.empty();
    }

    /** C89: a group that is quiet for days keeps its offsets, and retention what it has not read; C64 cannot be: partitions are fixed. */
    @Test
    void c89AQuietGroupKeepsItsOffsetsAndItsRecords() {
        LogSpec small = LogSpec.defaults().segmentBytes(1_024).batchBytes(512).retentionInterval(Duration.ofHours(1));
        try (GroupFixture fixture = new GroupFixture(directory, small)) {
            Topic topic = fixture.log
                    .createTopic(
                            "t",
                            TopicSpec.partitions(1)
                                    .retention(Retention.forever().maxAge(Duration.ofHours(2))))
                    .block(Logs.WAIT);
            for (int i = 0; i < 10; i++) {
                GroupFixture.fill(topic, 0, 20);
            }
            GroupMember member =
                    fixture.get(fixture.log.group("g", fixture.spec()).join("t"));
            GroupFixture.Holder holder = GroupFixture.Holder.of(member, 100);
            fixture.pass(100);
            holder.acknowledgeAll();
            fixture.pass(100);
            fixture.all(member.leave());
        }
        try (GroupFixture again = new GroupFixture(directory, small)) {
            again.time.advanceTimeBy(Duration.ofDays(2));
            Partition partition = again.log.topic("t").partition(0);
            assertThat(partition.beginOffset()).as("what nobody needs is gone").isBetween(1L, 100L);
            assertThat(again.committed("g", "t", 0)).isEqualTo(100);
            GroupFixture.Holder holder = GroupFixture.Holder.of(
                    again.get(again.log.group("g", again.spec()).join("t")), 1_000);
            again.pass(100);
            assertThat(holder.seen).hasSize(100).startsWith("t/0@100");
        }
    }
}
