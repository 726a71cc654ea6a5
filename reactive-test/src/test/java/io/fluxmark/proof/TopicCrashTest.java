package io.fluxmark.proof;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.log.LogRecord;
import io.fluxmark.state.KeyBytes;
import io.fluxmark.state.KeyReader;
import io.fluxmark.state.StateStore;
import io.fluxmark.state.StoreEntry;
import io.fluxmark.state.StoreTable;
import io.fluxmark.test.ChildJvm;
import io.fluxmark.test.RunningJvm;
import io.fluxmark.windows.WindowResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process whose job writes into a topic is killed at random instants, also while it recovers; in the end the topic has each
 * result once, with the bytes of a run that nobody disturbed.
 */
class TopicCrashTest {

    private static final boolean THOROUGH =
            System.getProperty("fluxmark.tier", "small").equals("thorough");
    private static final int BETWEEN = THOROUGH ? 100 : 5;
    private static final int MOST_KILLS = 12 * BETWEEN;
    private static final int TICKS = 20_000;
    private static final int EVENTS = 20;
    private static final long SEED = 20_010_102;

    @TempDir
    Path directory;

    private int kills;
    private int between;
    private int unanswered;

    @Test
    void aKilledJobPutsEachResultIntoTheTopicOnceWithTheSameBytes() throws IOException {
        Path filled = Files.createDirectory(directory.resolve("filled"));
        try (TopicJob job = TopicJob.open(filled)) {
            job.append(Tick.stream(TICKS, SEED));
        }
        Path undisturbed = copyOf(filled, "undisturbed");
        long span;
        try (RunningJvm child = child(undisturbed).start()) {
            child.awaitLine(CrashChild.BEGUN::equals, ProofJob.PATIENCE);
            long began = System.nanoTime();
            child.awaitLine(CrashChild.THROUGH::equals, ProofJob.PATIENCE);
            span = System.nanoTime() - began;
        }
        Map<String, List<String>> expected = results(undisturbed);
        Random random = new Random(SEED);
        int round = 0;
        while (between < BETWEEN && kills < MOST_KILLS) {
            Path place = copyOf(filled, "round" + round++);
            killUntilThrough(place, random, span);
            assertThat(results(place)).as("results after kills in %s", place).isEqualTo(expected);
        }
        System.out.printf(
                "topic crashes: %d kills in %d rounds, %d of them between store commit and append, %d between append and"
                        + " removal, %d results, %d ms undisturbed, seed %d%n",
                kills,
                round,
                between,
                unanswered,
                expected.values().stream().mapToInt(List::size).sum(),
                span / 1_000_000,
                SEED);
        assertThat(between).isGreaterThanOrEqualTo(BETWEEN);
    }

    private void killUntilThrough(Path place, Random random, long span) {
        while (true) {
            try (RunningJvm child = child(place).start()) {
                child.awaitLine(CrashChild.BEGUN::equals, ProofJob.PATIENCE);
                // About five kills before the end.
                child.letRun(Duration.ofNanos(random.nextLong(2 * span / 5)));
                child.kill(ProofJob.PATIENCE);
                if (child.lines().contains(CrashChild.THROUGH)) {
                    return;
                }
                kills++;
                look(place);
            }
        }
    }

    /** Counts kills that left committed rows which the topic does not have, or has and was not known to have. */
    private void look(Path place) {
        try (TopicJob job = TopicJob.open(place)) {
            boolean missing = false;
            boolean there = false;
            for (StoreEntry entry : waiting(job.store())) {
                KeyReader key = new KeyReader(entry.key());
                key.readString();
                String producer = "topic-job/out/" + key.readInt();
                long highest = job.target().partitions().stream()
                        .mapToLong(p -> p.highestSequence(producer).orElse(-1))
                        .max()
                        .orElseThrow();
                boolean stored = key.readLong() <= highest;
                missing |= !stored;
                there |= stored;
            }
            between += missing ? 1 : 0;
            unanswered += there ? 1 : 0;
        }
    }

    private static List<StoreEntry> waiting(StateStore store) {
        byte[] prefix = KeyBytes.key().add("out").toBytes();
        return store.read(StoreTable.OUTBOX, prefix, KeyBytes.endOfPrefix(prefix))
                .collectList()
                .block(ProofJob.PATIENCE);
    }

    /** Of each partition and lane the results in order, each once; nothing waits any more. */
    private static Map<String, List<String>> results(Path place) {
        try (TopicJob job = TopicJob.open(place)) {
            assertThat(waiting(job.store())).isEmpty();
            Map<String, List<String>> results = new TreeMap<>();
            Map<String, Integer> names = new HashMap<>();
            for (LogRecord record : job.results()) {
                byte[] value = record.requireValue();
                WindowResult<String, Long> result = TopicJob.RESULTS.decode(value);
                String name = result.key() + result.window() + result.revision() + result.isRetraction();
                assertThat(names.merge(name, 1, Integer::sum)).as(name).isEqualTo(1);
                String lane = record.partition() + " of "
                        + record.sequence().orElseThrow().producer();
                results.computeIfAbsent(lane, l -> new ArrayList<>())
                        .add(new String(record.key(), StandardCharsets.UTF_8) + " "
                                + HexFormat.of().formatHex(value));
            }
            assertThat(names).hasSizeGreaterThan(1_000);
            return results;
        }
    }

    private Path copyOf(Path filled, String name) throws IOException {
        Path copy = directory.resolve(name);
        try (var files = Files.walk(filled)) {
            for (Path file : files.toList()) {
                Files.copy(file, copy.resolve(filled.relativize(file).toString()));
            }
        }
        return copy;
    }

    private static ChildJvm child(Path place) {
        return ChildJvm.of(TopicCrashChild.class)
                .heap("128m")
                .option("-XX:TieredStopAtLevel=1")
                .args(place.toString(), "" + EVENTS);
    }
}
