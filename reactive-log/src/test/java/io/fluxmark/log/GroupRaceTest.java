package io.fluxmark.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;
import reactor.test.util.RaceTestUtils;

/** On real threads: whatever happens at the same moment, each record is finished once and the group ends where its partitions end. */
class GroupRaceTest {

    private static final int ROUNDS = Logs.thorough() ? 1_000 : 60;
    private static final int PARTITIONS = 4;
    private static final int RECORDS = 200;

    @TempDir
    Path directory;

    private final Map<String, AtomicInteger> handled = new ConcurrentHashMap<>();

    private Mono<Void> handle(String round, ConsumerRecord record) {
        return Mono.fromRunnable(() -> handled.computeIfAbsent(
                        round + " " + record.partition() + "@" + record.offset(), key -> new AtomicInteger())
                .incrementAndGet());
    }

    private GroupMember join(ConsumerGroup group) {
        return group.join(Logs.TOPIC).block(Logs.WAIT);
    }

    private void consume(String round, GroupMember member) {
        member.consume(record -> handle(round, record)).subscribe();
    }

    /** Members join and leave while others acknowledge. */
    @Test
    void joiningAndLeavingRaceWithAcknowledgements() {
        try (EventLog log = Logs.open(directory, LogSpec.defaults().storage(FaultStorage.fast()))) {
            Topic topic = log.createTopic(Logs.TOPIC, PARTITIONS).block(Logs.WAIT);
            for (int p = 0; p < PARTITIONS; p++) {
                GroupFixture.fill(topic, p, RECORDS);
            }
            for (int i = 0; i < ROUNDS; i++) {
                String round = "g" + i;
                ConsumerGroup group = log.group(
                        round,
                        GroupSpec.defaults()
                                .protocol(i % 2 == 0 ? RebalanceProtocol.EAGER : RebalanceProtocol.COOPERATIVE)
                                .commitInterval(Duration.ofMillis(1)));
                GroupMember a = join(group);
                GroupMember b = join(group);
                consume(round, a);
                GroupMember[] c = new GroupMember[1];
                RaceTestUtils.race(() -> c[0] = join(group), () -> consume(round, b), () -> a.leave()
                        .subscribe());
                consume(round, c[0]);
                // One that only looks in, beside one that leaves.
                RaceTestUtils.race(
                        () -> group.join(Logs.TOPIC).flatMap(GroupMember::leave).block(Logs.WAIT),
                        () -> b.leave().block(Logs.WAIT));
                await(round);
                RaceTestUtils.race(
                        () -> c[0].leave().block(Logs.WAIT), () -> a.leave().block(Logs.WAIT));
                assertThat(handled.entrySet().stream()
                                .filter(each -> each.getKey().startsWith(round + " ")))
                        .as(round)
                        .hasSize(PARTITIONS * RECORDS)
                        .allMatch(each -> each.getValue().get() == 1);
                GroupDescription description = group.describe()
                        .delayElement(Duration.ofMillis(1))
                        .repeat()
                        .filter(each -> each.members().isEmpty())
                        .blockFirst(Logs.WAIT);
                assertThat(description).as(round).isNotNull();
                assertThat(description.lag()).as(round).isZero();
                handled.clear();
            }
        }
        System.out.println("group races: " + ROUNDS + " rounds");
    }

    private void await(String round) {
        Mono.defer(() -> Mono.delay(Duration.ofMillis(1)))
                .repeat(() -> handled.keySet().stream()
                                .filter(key -> key.startsWith(round + " "))
                                .count()
                        < PARTITIONS * RECORDS)
                .then()
                .block(Logs.WAIT);
    }
}
