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
                    // And it can be appended to and reopened again.
                    topics.get(0)
                            .append(List.of(AppendRecord.to(p, Logs.bytes("more"))))
                            .block(Logs.WAIT);
                    assertThat(Logs.values(Logs.readAll(partition))).hasSize(values.size() + 1);
                }
                acknowledgedInAll += attempt.acknowledged[0] + attempt.acknowledged[1];
            }
        }
        assertThat(torn).as("the test tears tails at all").isPositive();
        System.out.println("power cuts: " + trials + " trials, " + acknowledgedInAll + " records acknowledged, " + torn
                + " torn tails, seed " + seed);
    }

    private static Attempt run(Path path, PowerCutStorage storage, Random random) {
        LogSpec spec = LogSpec.defaults()
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
                int[] counts = new int[2];
                for (int i = random.nextInt(20); i >= 0; i--) {
                    int p = random.nextInt(2);
                    String value = "v" + attempt.attempted.get(p).size() + "x".repeat(random.nextInt(200));
                    attempt.attempted.get(p).add(value);
                    counts[p]++;
                    request.add(AppendRecord.to(p, Logs.bytes(value)));
                }
                topic.append(request).block(Logs.WAIT);
                attempt.acknowledged[0] += counts[0];
                attempt.acknowledged[1] += counts[1];
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
