package io.fluxmark.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;

/** A partition moves at every offset there is: S49, C53. */
class GroupMoveTest {

    private static final int RECORDS = 1_000;
    private static final int STEP = Logs.thorough() ? 1 : 40;

    @TempDir
    Path directory;

    @ParameterizedTest
    @EnumSource
    void whatTheMembersCommitIsEachOffsetOnceWhereverAPartitionMoves(RebalanceProtocol protocol) {
        int moves = 0;
        try (GroupFixture fixture = new GroupFixture(directory)) {
            fixture.topic("t", 2, RECORDS / 2);
            for (int at = 0; at <= RECORDS; at += STEP) {
                move(fixture, protocol, at);
                moves++;
            }
        }
        System.out.println("group moves: " + protocol + ", a move at each of " + moves + " offsets");
    }

    /** The second member joins when the first has handled so many records. */
    private static void move(GroupFixture fixture, RebalanceProtocol protocol, int at) {
        ConsumerGroup group =
                fixture.log.group("g" + at, fixture.spec().protocol(protocol).prefetch(16));
        List<String> handled = new ArrayList<>();
        GroupMember first = fixture.get(group.join("t"));
        GroupMember[] second = new GroupMember[1];
        first.consume(record -> handle(fixture, record, handled)).subscribe();
        while (handled.size() < at) {
            fixture.pass(1);
        }
        group.join("t").subscribe(member -> second[0] = member);
        while (second[0] == null) {
            fixture.pass(1);
        }
        second[0].consume(record -> handle(fixture, record, handled)).subscribe();
        for (int i = 0; i < 3_000 && handled.size() < RECORDS; i++) {
            fixture.pass(1);
        }
        fixture.all(first.leave());
        fixture.all(second[0].leave());
        assertThat(handled).as("moved at %d", at).hasSize(RECORDS).doesNotHaveDuplicates();
        assertThat(fixture.committed(group.name(), "t", 0)).isEqualTo(RECORDS / 2);
        assertThat(fixture.committed(group.name(), "t", 1)).isEqualTo(RECORDS / 2);
        assertThat(Arrays.asList(group.refusedAcknowledgements(), group.fencedMembers(), group.failedCommits()))
                .containsOnly(0L);
        fixture.all(group.delete());
    }

    /** A record takes some time, so that there is one in flight when the partition is to move. */
    private static Mono<Void> handle(GroupFixture fixture, ConsumerRecord record, List<String> handled) {
        return Mono.delay(Duration.ofMillis(1), fixture.time)
                .doOnNext(passed -> handled.add(record.partition() + "@" + record.offset()))
                .then();
    }
}
