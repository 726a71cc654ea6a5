package io.fluxmark.sinks;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.log.AppendRecord;
import io.fluxmark.log.EventCodec;
import io.fluxmark.log.EventLog;
import io.fluxmark.log.TypedTopic;
import io.fluxmark.state.RestoreSpec;
import io.fluxmark.state.Savepoint;
import io.fluxmark.state.SavepointSpec;
import io.fluxmark.state.Savepoints;
import io.fluxmark.state.StateStore;
import io.fluxmark.windows.Aggregations;
import io.fluxmark.windows.Checkpoint;
import io.fluxmark.windows.CheckpointSpec;
import io.fluxmark.windows.Codec;
import io.fluxmark.windows.WatermarkSpec;
import io.fluxmark.windows.WindowResult;
import io.fluxmark.windows.WindowSpec;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Savepoints of a running job: restored under another name, they have the same digest and go on to the same results. */
class JobSavepointTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final boolean THOROUGH =
            System.getProperty("fluxmark.tier", "small").equals("thorough");
    private static final int PARTITIONS = 3;

    @TempDir
    Path directory;

    private EventLog log;
    private TypedTopic<String> topic;

    @BeforeEach
    void open() {
        log = EventLog.open(directory.resolve("log")).block(PATIENCE);
        log.createTopic("ticks", PARTITIONS).block(PATIENCE);
        topic = log.topic("ticks", EventCodec.utf8());
    }

    @AfterEach
    void close() {
        log.close();
    }

    private static String key(String tick) {
        return tick.substring(0, tick.indexOf('@'));
    }

    private static long time(String tick) {
        return Long.parseLong(tick.substring(tick.indexOf('@') + 1));
    }

    private Flux<Checkpoint> job(StateStore store, CheckpointSpec spec) {
        TransactionalSink<WindowResult<String, Long>> sink = TransactionalSink.<String, Long>table(store, "counts")
                .and(TransactionalSink.changelog(store, "changes"));
        return LogSource.of(topic)
                .watermarksMillis(JobSavepointTest::time, WatermarkSpec.boundedOutOfOrderness(Duration.ofMillis(20)))
                .keyByRecordKey(JobSavepointTest::key)
                .window(WindowSpec.tumbling(Duration.ofMillis(100)).allowedLateness(Duration.ofMillis(100)))
                .lateTo(LateTable.of(store, "late", Codec.strings()))
                .aggregate(Aggregations.counting())
                .writeTo(sink, spec);
    }

    private void append(int count, long from, Random random) {
        List<AppendRecord> records = IntStream.range(0, count)
                .mapToObj(i -> {
                    String key = "k" + random.nextInt(60);
                    long behind = random.nextInt(8) == 0 ? random.nextInt(500) : random.nextInt(20);
                    String tick = key + "@" + (from + i - behind);
                    return AppendRecord.of(key.getBytes(StandardCharsets.UTF_8), tick.getBytes(StandardCharsets.UTF_8));
                })
                .toList();
        topic.topic().append(records).block(PATIENCE);
    }

    @Test
    void aSavepointTakenUnderLoadRestoresUnderAnotherNameWithAnEqualDigest() throws Exception {
        Random random = new Random(29);
        int rounds = THOROUGH ? 30 : 4;
        List<Savepoint> taken = new ArrayList<>();
        DigestScope nameless = DigestScope.everything().withoutJobNames();
        StoreDigest whole;
        try (StateStore store = StateStore.open(directory.resolve("state")).block(PATIENCE)) {
            CompletableFuture<Void> stop = new CompletableFuture<>();
            CompletableFuture<Void> running = new CompletableFuture<>();
            CompletableFuture<Void> done = new CompletableFuture<>();
            job(store, CheckpointSpec.everyEvents(200).named("original").stopWhen(Mono.fromFuture(stop, true)))
                    .subscribe(
                            checkpoint -> running.complete(null),
                            done::completeExceptionally,
                            () -> done.complete(null));
            append(PARTITIONS * 400, 0, random);
            running.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            for (int round = 0; round < rounds; round++) {
                CompletableFuture<Savepoint> savepoint = JobSavepoints.take(
                                store, directory.resolve("savepoints"), SavepointSpec.named("s" + round))
                        .toFuture();
                for (int part = 0; part < 10; part++) {
                    append(200, (round * 10 + part) * 200L, random);
                }
                taken.add(savepoint.get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
            }
            stop.complete(null);
            done.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            job(store, CheckpointSpec.everyEvents(200).named("original").drainWhen(Mono.empty()))
                    .blockLast(PATIENCE);
            whole = StoreDigest.of(store, nameless).block(PATIENCE);
            assertThat(whole.late()).isPositive();
        }
        long records = 0;
        for (Savepoint savepoint : taken) {
            Path restored = directory.resolve("restored-" + savepoint.name());
            Savepoints.restore(savepoint, restored, RestoreSpec.defaults().rename("original", "copy"))
                    .block(PATIENCE);
            try (StateStore store = StateStore.open(restored).block(PATIENCE)) {
                assertThat(StoreDigest.of(store, nameless).block(PATIENCE).hash())
                        .isEqualTo(JobSavepoints.digest(savepoint).orElseThrow());
                JobStatus status = JobStatus.read(store, "copy", topic.topic()).block(PATIENCE);
                status.lanes().forEach(lane -> assertThat(JobSavepoints.offsets(savepoint, "original"))
                        .containsEntry(lane.lane(), lane.nextOffset()));
                records += status.lanes().stream()
                        .mapToLong(JobStatus.Lane::nextOffset)
                        .sum();
                job(store, CheckpointSpec.everyEvents(300).named("copy").drainWhen(Mono.empty()))
                        .blockLast(PATIENCE);
                assertThat(StoreDigest.of(store, nameless).block(PATIENCE))
                        .as("replayed from %s", savepoint.name())
                        .isEqualTo(whole);
            }
        }
        System.out.printf(
                "savepoints: %d taken under load (%d records in them), restored under another name with equal digests,"
                        + " and run on to the digest of the undisturbed job (seed 29)%n",
                rounds, records);
        assertThat(records).isPositive();
    }
}
