package io.fluxmark.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The power fails at any change of any file; what was acknowledged is there, what is there had been appended, in order. */
class PowerCutTest {

    @TempDir
    Path directory;

    private final LogSpec rebooted = LogSpec.defaults().storage(FaultStorage.fast());

    @Test
    void everyAcknowledgedRecordSurvivesAPowerCut() throws Exception {
        int trials = Logs.thorough() ? 2_000 : 300;
        long seed = 2024;
        int acknowledgedInAll = 0;
        int torn = 0;
        for (int trial = 0; trial < trials; trial++) {
            Random random = new Random(seed + trial);
            Path before = directory.resolve("before" + trial);
            Path after = directory.resolve("after" + trial);
            Files.createDirectory(before);
            Files.createDirectory(after);
            PowerCutStorage storage = new PowerCutStorage(before, 8 + random.nextInt(60), random);
            Attempt attempt = run(before, storage, random, Retention.forever());
            storage.writeRemains(after);
            try (EventLog log = Logs.open(after, rebooted)) {
                List<Topic> topics = log.topics();
                if (topics.isEmpty()) {
                    assertThat(attempt.created).as("seed %d", seed + trial).isFalse();
                    continue;
                }
                for (int p = 0; p < 2; p++) {
                    Partition partition = topics.get(0).partition(p);
                    assertThat(partition.damage()).as("seed %d", seed + trial).isEmpty();
                    List<String> values = Logs.values(Logs.readAll(partition));
                    List<String> attempted = attempt.attempted.get(p);
                    assertThat(values.size())
                            .as("seed %d partition %d", seed + trial, p)
                            .isBetween(attempt.acknowledged[p], attempted.size());
                    assertThat(values).as("seed %d", seed + trial).isEqualTo(attempted.subList(0, values.size()));
                    torn += partition.tornBytes() > 0 ? 1 : 0;
                    assertRepeatedAsAWholeItIsThereOnce(topics.get(0), p, attempted, values.size());
                }
                acknowledgedInAll += attempt.acknowledged[0] + attempt.acknowledged[1];
            }
        }
        assertThat(torn).as("the test tears tails at all").isPositive();
        System.out.println("power cuts: " + trials + " trials, " + acknowledgedInAll + " records acknowledged, " + torn
                + " torn tails, seed " + seed);
    }

    /** The same with retention: what is there begins later, and begins nowhere else than where a segment began. */
    @Test
    void aPowerCutDuringRetentionLeavesNoHoleAndForgetsNoProducer() throws Exception {
        int trials = Logs.thorough() ? 2_000 : 200;
        long seed = 31;
        int shortened = 0;
        for (int trial = 0; trial < trials; trial++) {
            Random random = new Random(seed + trial);
            Path before = directory.resolve("before" + trial);
            Path after = directory.resolve("after" + trial);
            Files.createDirectory(before);
            Files.createDirectory(after);
            PowerCutStorage storage = new PowerCutStorage(before, 40 + random.nextInt(200), random);
            Attempt attempt = run(before, storage, random, Retention.forever().maxBytes(6_000));
            storage.writeRemains(after);
            try (EventLog log = Logs.open(after, rebooted)) {
                for (int p = 0; p < 2; p++) {
                    String as = "seed " + (seed + trial) + " partition " + p;
                    Topic topic = log.topic(Logs.TOPIC);
                    Partition partition = topic.partition(p);
                    int begin = (int) partition.beginOffset();
                    List<String> attempted = attempt.attempted.get(p);
                    List<String> values = Logs.values(Logs.readAll(partition));
                    assertThat(partition.damage()).as(as).isEmpty();
                    assertThat(begin + values.size()).as(as).isBetween(attempt.acknowledged[p], attempted.size());
                    assertThat(values).as(as).isEqualTo(attempted.subList(begin, begin + values.size()));
                    shortened += begin > 0 ? 1 : 0;
                    for (int i = 0; i < attempted.size(); i++) {
                        assertThat(topic.append(List.of(record(p, i, attempted.get(i))))
                                        .block(Logs.WAIT))
                                .as(as)
                                .containsExactly(new AppendResult(p, i, i < begin + values.size()));
                    }
                }
            }
        }
        assertThat(shortened).as("anything is deleted").isPositive();
        System.out.println("power cuts under retention: " + trials + " trials, " + shortened
                + " partitions shortened, seed " + seed);
    }

    /** A client that knows nothing of the cut sends everything again. */
    private static void assertRepeatedAsAWholeItIsThereOnce(
            Topic topic, int partition, List<String> attempted, int survived) {
        List<AppendRecord> again = new ArrayList<>();
        for (int i = 0; i < attempted.size(); i++) {
            again.add(record(partition, i, attempted.get(i)));
        }
        List<AppendResult> results = topic.append(again).block(Logs.WAIT);
        for (int i = 0; i < results.size(); i++) {
            assertThat(results.get(i)).isEqualTo(new AppendResult(partition, i, i < survived));
        }
        assertThat(Logs.values(Logs.readAll(topic.partition(partition)))).isEqualTo(attempted);
    }

    private static AppendRecord record(int partition, int sequence, String value) {
        return AppendRecord.to(partition, Logs.bytes(value)).withSequence("client", sequence);
    }

    private static Attempt run(Path path, PowerCutStorage storage, Random random, Retention retention) {
        boolean syncs = random.nextBoolean();
        LogSpec spec = LogSpec.defaults()
                .durability(syncs ? Durability.SYNC : Durability.OS)
                .storage(storage)
                .segmentBytes(4096)
                .readBufferBytes(512)
                .writerExecutor(Runnable::run);
        Attempt attempt = new Attempt();
        EventLog log = null;
        try {
            log = Logs.open(path, spec);
            Topic topic = log.createTopic(Logs.TOPIC, TopicSpec.partitions(2).retention(retention))
                    .block(Logs.WAIT);
            attempt.created = true;
            while (true) {
                List<AppendRecord> request = new ArrayList<>();
                for (int i = random.nextInt(20); i >= 0; i--) {
                    int p = random.nextInt(2);
                    String value = "v" + attempt.attempted.get(p).size() + "x".repeat(random.nextInt(200));
                    request.add(record(p, attempt.attempted.get(p).size(), value));
                    attempt.attempted.get(p).add(value);
                }
                topic.append(request).block(Logs.WAIT);
                if (!syncs && random.nextInt(5) == 0) {
                    topic.partition(0).force(topic.partition(0).endOffset()).block(Logs.WAIT);
                }
                if (random.nextInt(6) == 0) {
                    log.enforceRetention().block(Logs.WAIT);
                }
                for (int p = 0; p < 2; p++) {
                    // Without fsync nothing more is promised than what was forced, by request or by a new segment.
                    attempt.acknowledged[p] = syncs
                            ? attempt.attempted.get(p).size()
                            : (int) topic.partition(p).durableEndOffset();
                }
            }
        } catch (RuntimeException e) {
            assertThat(storage.isOff()).as("%s", e).isTrue();
        } finally {
            if (log != null) {
                log.close();
            }
        }
        return attempt;
    }

    private static final class Attempt {
        private final List<List<String>> attempted = List.of(new ArrayList<>(), new ArrayList<>());
        private final int[] acknowledged = new int[2];
        private boolean created;
    }
}
