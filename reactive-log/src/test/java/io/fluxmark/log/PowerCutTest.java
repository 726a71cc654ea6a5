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
            Attempt attempt = run(before, storage, random);
            storage.writeRemains(after);
            try (EventLog log = Logs.open(after)) {
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

    private static Attempt run(Path path, PowerCutStorage storage, Random random) {
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
            Topic topic = log.createTopic(Logs.TOPIC, 2).block(Logs.WAIT);
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
