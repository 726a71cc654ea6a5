package io.fluxmark.sinks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fluxmark.log.AppendRecord;
import io.fluxmark.log.EventCodec;
import io.fluxmark.log.EventLog;
import io.fluxmark.log.LogRecord;
import io.fluxmark.log.LogSpec;
import io.fluxmark.log.OffsetOutOfRangeException;
import io.fluxmark.log.Partition;
import io.fluxmark.log.Retention;
import io.fluxmark.log.Topic;
import io.fluxmark.log.TopicSpec;
import io.fluxmark.log.TypedTopic;
import io.fluxmark.state.Savepoint;
import io.fluxmark.state.SavepointSpec;
import io.fluxmark.state.Savepoints;
import io.fluxmark.state.StateStore;
import io.fluxmark.windows.Aggregations;
import io.fluxmark.windows.Checkpoint;
import io.fluxmark.windows.CheckpointSpec;
import io.fluxmark.windows.WatermarkSpec;
import io.fluxmark.windows.WindowResult;
import io.fluxmark.windows.WindowSpec;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Retention beside jobs: what a job may have to read again stays. */
class JobRetentionTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int RECORDS = 1_000;
    private static final int BATCH = 50;

    @TempDir
    Path directory;

    private EventLog log;
    private StateStore store;
    private Topic topic;
    private Partition partition;
    private TableSink<String, Long> table;

    @BeforeEach
    void open() {
        log = EventLog.open(directory.resolve("log"), LogSpec.defaults().segmentBytes(1024))
                .block(PATIENCE);
        topic = log.createTopic(
                        "t",
                        TopicSpec.partitions(1).retention(Retention.forever().maxBytes(1)))
                .block(PATIENCE);
        partition = topic.partition(0);
        store = StateStore.open(directory.resolve("state")).block(PATIENCE);
        table = TransactionalSink.table(store, "counts");
        for (int from = 0; from < RECORDS; from += 10) {
            topic.append(LongStream.range(from, from + 10)
                            .mapToObj(i -> AppendRecord.of(bytes("k"), bytes(Long.toString(i))))
                            .toList())
                    .block(PATIENCE);
        }
    }

    @AfterEach
    void close() {
        store.close();
        log.close();
    }

    private Flux<Checkpoint> job(EventCodec<Long> codec, Function<Long, String> key, CheckpointSpec spec) {
        return job(table, codec, key, spec);
    }

    private Flux<Checkpoint> job(
            TransactionalSink<WindowResult<String, Long>> sink,
            EventCodec<Long> codec,
            Function<Long, String> key,
            CheckpointSpec spec) {
        return LogSource.of(new TypedTopic<>(topic, codec))
                .watermarksMillis(time -> time, WatermarkSpec.boundedOutOfOrderness(Duration.ZERO))
                .keyByRecordKey(key)
                .window(WindowSpec.tumbling(Duration.ofMillis(100)))
                .aggregate(Aggregations.<Long>counting())
                .writeTo(sink, spec);
    }

    private static CheckpointSpec spec() {
        return CheckpointSpec.everyEvents(BATCH)
                .orEvery(Duration.ofHours(1))
                .named("job")
                .drainWhen(Mono.empty());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static long number(LogRecord record) {
        return Long.parseLong(new String(record.requireValue(), StandardCharsets.UTF_8));
    }

    private void retain() {
        log.enforceRetention().block(PATIENCE);
    }

    private void assertEachCountedOnce() {
        assertThat(table.rows().map(row -> row.value()).collectList().block(PATIENCE))
                .hasSize(RECORDS / 100)
                .containsOnly(100L);
    }

    @Test
    void whatASavepointNeedsStaysUntilANewerOneIsThere() {
        job(JobRetentionTest::number, time -> "k", spec()).take(4).blockLast(PATIENCE);
        Savepoint savepoint = JobSavepoints.take(store, directory.resolve("savepoints"), SavepointSpec.named("first"))
                .block(PATIENCE);
        long offset = JobSavepoints.offsets(savepoint, "job").get(0);
        assertThat(offset).isBetween(4L * BATCH, RECORDS - 1L);
        SavepointFloor floor = SavepointFloor.register(topic, "job", savepoint);
        job(JobRetentionTest::number, time -> "k", spec()).blockLast(PATIENCE);
        retain();
        assertThat(partition.beginOffset()).isBetween(1L, offset);

        Path restored = directory.resolve("restored");
        Savepoints.restore(savepoint, restored).block(PATIENCE);
        try (StateStore copy = StateStore.open(restored).block(PATIENCE)) {
            TableSink<String, Long> counts = TransactionalSink.table(copy, "counts");
            job(counts, JobRetentionTest::number, time -> "k", spec()).blockLast(PATIENCE);
            assertThat(counts.rows().map(row -> row.value()).collectList().block(PATIENCE))
                    .as("caught up from the savepoint")
                    .hasSize(RECORDS / 100)
                    .containsOnly(100L);
        }
        floor.advance(JobSavepoints.take(store, directory.resolve("savepoints"), SavepointSpec.named("second"))
                .block(PATIENCE));
        retain();
        assertThat(partition.beginOffset()).isGreaterThan(offset);
        assertThatThrownBy(() -> SavepointFloor.register(topic, "jop", savepoint))
                .hasMessageContaining("'jop'");
        floor.dispose();
        assertThat(floor.isDisposed()).isTrue();
    }

    @Test
    void whatASlowJobMayHaveToReadAgainIsNotDeletedAndAfterItsEndItIs() throws Exception {
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        CompletableFuture<Void> done = new CompletableFuture<>();
        job(
                        record -> {
                            if (record.offset() == 777) {
                                reached.countDown();
                                await(goOn);
                            }
                            return number(record);
                        },
                        time -> "k",
                        spec())
                .subscribe(checkpoint -> {}, done::completeExceptionally, () -> done.complete(null));
        await(reached);
        retain();
        // The commit at 750 may still be under way; five more may be torn.
        assertThat(partition.beginOffset()).isBetween(1L, 750L - StateStore.COMMITS_KEPT * BATCH);
        goOn.countDown();
        done.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertEachCountedOnce();
        retain();
        assertThat(partition.beginOffset()).isGreaterThan(RECORDS - 100);
    }

    @Test
    void aFailedJobFindsWhatItNeedsWhenItIsRunAgain() {
        AtomicBoolean fails = new AtomicBoolean(true);
        Function<Long, String> key = time -> {
            if (time == 777 && fails.get()) {
                throw new IllegalStateException("broken");
            }
            return "k";
        };
        assertThatThrownBy(() -> job(JobRetentionTest::number, key, spec()).blockLast(PATIENCE))
                .hasMessageContaining("broken");
        fails.set(false);
        retain();
        assertThat(partition.beginOffset()).isLessThanOrEqualTo(750L - StateStore.COMMITS_KEPT * BATCH);
        job(JobRetentionTest::number, key, spec()).blockLast(PATIENCE);
        assertEachCountedOnce();
        retain();
        assertThat(partition.beginOffset()).isGreaterThan(RECORDS - 100);
    }

    @Test
    void retentionWithoutAJobWaitsForNobody() {
        job(JobRetentionTest::number, time -> "k", spec()).take(1).blockLast(PATIENCE);
        retain();
        assertThat(partition.beginOffset()).isGreaterThan(RECORDS - 100);
        assertThatThrownBy(
                        () -> job(JobRetentionTest::number, time -> "k", spec()).blockLast(PATIENCE))
                .isInstanceOf(OffsetOutOfRangeException.class);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
