package io.fluxmark.sinks;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.log.EventLog;
import io.fluxmark.log.LogRecord;
import io.fluxmark.log.LogSpec;
import io.fluxmark.log.Partition;
import io.fluxmark.log.ProducerSequence;
import io.fluxmark.log.Topic;
import io.fluxmark.log.TypedTopic;
import io.fluxmark.state.KeyReader;
import io.fluxmark.state.StateStore;
import io.fluxmark.state.StoreEntry;
import io.fluxmark.state.StoreSpec;
import io.fluxmark.state.StoreTable;
import io.fluxmark.windows.Checkpoint;
import io.fluxmark.windows.CheckpointSpec;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A job into a topic crashes before and after writes of its store and of the topic: whatever was between them, the topic ends
 * with each result once, and with the same bytes.
 */
class TopicCrashPointsTest {

    private static final int TICKS = Ticks.thorough() ? 60_000 : 6_000;
    private static final double SHARE = Ticks.thorough() ? 1 : 0.5;
    private static final int BETWEEN = Ticks.thorough() ? 100 : 5;
    private static final int MOST_IMAGES = Ticks.thorough() ? 150 : 40;
    private static final long SEED = 2_024;

    @TempDir
    Path directory;

    private final ExecutorService storeThread = Executors.newSingleThreadExecutor();
    private final ExecutorService targetThread = Executors.newSingleThreadExecutor();

    @AfterEach
    void end() {
        storeThread.shutdown();
        targetThread.shutdown();
    }

    /** The logs and the store of one place. */
    private record Place(EventLog log, EventLog targetLog, StateStore store) implements AutoCloseable {

        static Place open(Path directory, Executor storeExecutor, Executor targetExecutor) {
            return new Place(
                    EventLog.open(directory.resolve("log")).block(Ticks.PATIENCE),
                    EventLog.open(
                                    directory.resolve("target"),
                                    LogSpec.defaults().writerExecutor(targetExecutor))
                            .block(Ticks.PATIENCE),
                    StateStore.open(
                                    directory.resolve("state"),
                                    StoreSpec.defaults().executor(storeExecutor))
                            .block(Ticks.PATIENCE));
        }

        TypedTopic<Ticks.Tick> topic() {
            return Ticks.topic(log);
        }

        Topic target() {
            return targetLog.createTopic("counts", 3).block(Ticks.PATIENCE);
        }

        Flux<Checkpoint> job() {
            return Ticks.counts(topic())
                    .writeTo(
                            TransactionalSink.<String, Long>topic(store, "out", target()),
                            CheckpointSpec.everyEvents(50).named("job").drainWhen(Mono.empty()));
        }

        /** Of each producer and partition, its records in order: as text, so that a difference can be read. */
        Map<String, List<String>> records() {
            Map<String, List<String>> records = new TreeMap<>();
            for (Partition partition : target().partitions()) {
                for (LogRecord record : partition
                        .readTo(partition.beginOffset(), partition.endOffset())
                        .collectList()
                        .block(Ticks.PATIENCE)) {
                    ProducerSequence sequence = record.sequence().orElseThrow();
                    records.computeIfAbsent(sequence.producer() + " in " + partition.id(), p -> new ArrayList<>())
                            .add(sequence.sequence() + " " + new String(record.key(), StandardCharsets.UTF_8) + " "
                                    + HexFormat.of().formatHex(record.requireValue()));
                }
            }
            return records;
        }

        @Override
        public void close() {
            store.close();
            targetLog.close();
            log.close();
        }
    }

    @Test
    void whateverWriteWasTheLastTheTopicEndsWithEachResultOnceAndTheSameBytes() throws Exception {
        Path undisturbed = Files.createDirectory(directory.resolve("undisturbed"));
        Random random = new Random(SEED);
        AtomicBoolean running = new AtomicBoolean();
        CrashImages images = new CrashImages(
                undisturbed, directory.resolve("images"), () -> running.get() && random.nextDouble() < SHARE);
        Map<String, List<String>> expected;
        try (Place place = Place.open(undisturbed, images.around(storeThread), images.around(targetThread))) {
            Ticks.append(place.topic(), Ticks.random(TICKS, SEED));
            running.set(true);
            place.job().blockLast(Ticks.PATIENCE);
            running.set(false);
            expected = place.records();
        }
        assertThat(expected).hasSizeGreaterThan(3);
        int between = 0;
        int unanswered = 0;
        List<Path> all = images.images();
        int count = Math.min(all.size(), MOST_IMAGES);
        for (int i = 0; i < count; i++) {
            // Spread over the whole run, where there are more than enough.
            Path image = all.get((int) ((long) i * all.size() / count));
            try (Place place = Place.open(image, storeThread, targetThread)) {
                int[] rows = waitingRows(place);
                between += rows[0] > 0 ? 1 : 0;
                unanswered += rows[1] > 0 ? 1 : 0;
                place.job().blockLast(Ticks.PATIENCE);
                assertThat(place.records())
                        .as("%s, seed %d", image.getFileName(), SEED)
                        .isEqualTo(expected);
                assertThat(waitingRows(place)).containsExactly(0, 0);
            }
        }
        System.out.printf(
                "topic crash points: %d of %d boundaries crashed at, %d between commit and append, %d between append and"
                        + " removal, %d results, seed %d%n",
                count,
                all.size(),
                between,
                unanswered,
                expected.values().stream().mapToInt(List::size).sum(),
                SEED);
        assertThat(between).isGreaterThanOrEqualTo(BETWEEN);
        assertThat(unanswered).isPositive();
    }

    /** How many committed rows the topic does not have, and how many it has that the store does not know to be there. */
    private static int[] waitingRows(Place place) {
        int[] rows = new int[2];
        for (StoreEntry entry : place.store()
                .read(StoreTable.OUTBOX, RowNames.prefix("out"), RowNames.end("out"))
                .toIterable()) {
            KeyReader key = new KeyReader(entry.key());
            key.readString();
            String producer = "job/out/" + key.readInt();
            int partition = TopicRow.decode(entry.value()).partition();
            long highest = place.target()
                    .partition(partition)
                    .highestSequence(producer)
                    .orElse(-1);
            rows[key.readLong() > highest ? 0 : 1]++;
        }
        return rows;
    }
}
