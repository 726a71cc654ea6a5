package io.fluxmark.sinks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fluxmark.log.AppendRecord;
import io.fluxmark.log.EventCodec;
import io.fluxmark.log.EventLog;
import io.fluxmark.log.LogRecord;
import io.fluxmark.log.TypedTopic;
import io.fluxmark.state.StateStore;
import io.fluxmark.windows.Aggregations;
import io.fluxmark.windows.Checkpoint;
import io.fluxmark.windows.CheckpointSpec;
import io.fluxmark.windows.Counter;
import io.fluxmark.windows.Counters;
import io.fluxmark.windows.Explanation;
import io.fluxmark.windows.InvalidEvent;
import io.fluxmark.windows.LiveExplanation;
import io.fluxmark.windows.PartitionProgress;
import io.fluxmark.windows.PlainBatch;
import io.fluxmark.windows.TimeWindow;
import io.fluxmark.windows.Watermark;
import io.fluxmark.windows.WatermarkSpec;
import io.fluxmark.windows.WindowResult;
import io.fluxmark.windows.WindowSpec;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A job over a real log and a real store. */
class JobTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int PARTITIONS = 4;
    private static final WindowSpec WINDOWS =
            WindowSpec.tumbling(Duration.ofMillis(100)).allowedLateness(Duration.ofMillis(100));

    /** An event: a key and its time. */
    record Tick(String key, long time) {
        static Tick parse(String text) {
            int at = text.indexOf('@');
            return new Tick(text.substring(0, at), Long.parseLong(text.substring(at + 1)));
        }

        AppendRecord record() {
            return AppendRecord.of(
                    key.getBytes(StandardCharsets.UTF_8), (key + "@" + time).getBytes(StandardCharsets.UTF_8));
        }
    }

    @TempDir
    Path directory;

    private EventLog log;
    private StateStore store;
    private TypedTopic<Tick> topic;

    @BeforeEach
    void open() {
        log = EventLog.open(directory.resolve("log")).block(PATIENCE);
        log.createTopic("ticks", PARTITIONS).block(PATIENCE);
        topic = log.topic("ticks", record -> Tick.parse(EventCodec.utf8().decode(record)));
        store = StateStore.open(directory.resolve("state")).block(PATIENCE);
    }

    @AfterEach
    void close() {
        store.close();
        log.close();
    }

    private Flux<Checkpoint> job(TransactionalSink<WindowResult<String, Long>> sink, CheckpointSpec spec) {
        return LogSource.of(topic)
                .watermarksMillis(Tick::time, WatermarkSpec.boundedOutOfOrderness(Duration.ofMillis(20)))
                .keyByRecordKey(Tick::key)
                .window(WINDOWS)
                .aggregate(Aggregations.counting())
                .writeTo(sink, spec);
    }

    private List<Tick> append(int count, long seed) {
        Random random = new Random(seed);
        List<Tick> ticks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long late = random.nextInt(10) == 0 ? random.nextInt(400) : random.nextInt(20);
            ticks.add(new Tick("k" + random.nextInt(50), i - late));
        }
        topic.topic().append(ticks.stream().map(Tick::record).toList()).block(PATIENCE);
        return ticks;
    }

    /** What each partition accepts, by a plain loop over the rule of lateness. */
    private List<Tick> accepted(List<Tick> ticks) {
        Map<Integer, Long> maxima = new HashMap<>();
        List<Tick> accepted = new ArrayList<>();
        for (Tick tick : ticks) {
            int partition = topic.topic().partitionFor(tick.key().getBytes(StandardCharsets.UTF_8));
            long max = maxima.getOrDefault(partition, -1_000_000L);
            long watermark = max - 20 - 1;
            long end = Math.floorDiv(tick.time(), 100L) * 100 + 100;
            if (watermark < end - 1 + 100) {
                accepted.add(tick);
            }
            maxima.put(partition, Math.max(max, tick.time()));
        }
        return accepted;
    }

    private Map<PlainBatch.Slot<String>, Long> batch(List<Tick> ticks) {
        Map<PlainBatch.Slot<String>, Long> values = new HashMap<>();
        PlainBatch.evaluate(ticks, Tick::time, Tick::key, WINDOWS, Aggregations.<Tick>counting())
                .forEach(r -> values.put(new PlainBatch.Slot<>(r.key(), r.window()), r.value()));
        return values;
    }

    private static Map<PlainBatch.Slot<String>, Long> rows(TableSink<String, Long> table) {
        Map<PlainBatch.Slot<String>, Long> rows = new HashMap<>();
        table.rows().toIterable().forEach(row -> rows.put(new PlainBatch.Slot<>(row.key(), row.window()), row.value()));
        return rows;
    }

    @Test
    void aDrainedJobEqualsBatchOverWhatItAcceptedAndItsCountsSumToTheInput() {
        List<Tick> ticks = append(10_000, 1);
        TableSink<String, Long> table = TransactionalSink.table(store, "counts");
        ChangelogSink<String, Long> changes = TransactionalSink.changelog(store, "changes");

        List<Checkpoint> checkpoints = job(
                        table.and(changes),
                        CheckpointSpec.everyEvents(500).named("job").drainWhen(Mono.empty()))
                .collectList()
                .block(PATIENCE);

        List<Tick> accepted = accepted(ticks);
        assertThat(accepted).hasSizeLessThan(10_000);
        assertThat(rows(table)).isEqualTo(batch(accepted));
        assertThat(PlainBatch.fold(changes.changes().toIterable())).isEqualTo(batch(accepted));
        Counters total = total(checkpoints);
        assertThat(total.sumHolds()).isTrue();
        assertThat(total.get(Counter.INGESTED)).isEqualTo(10_000);
        assertThat(total.accepted()).isEqualTo(accepted.size());
        assertThat(total.get(Counter.REFIRED)).isPositive();
    }

    private static Counters total(List<Checkpoint> checkpoints) {
        Map<Integer, Counters> newest = new HashMap<>();
        checkpoints.forEach(c -> c.lanes().forEach(lane -> newest.put(lane.lane(), lane.counts())));
        return newest.values().stream().reduce(Counters.ZERO, Counters::plus);
    }

    @Test
    void aCancelledJobGoesOnWhereItsLastCommitEnded() {
        List<Tick> ticks = append(40_000, 2);
        TableSink<String, Long> table = TransactionalSink.table(store, "counts");
        CheckpointSpec spec = CheckpointSpec.everyEvents(300).named("job");
        for (int i = 0; i < 4; i++) {
            // Far fewer commits than the log holds: each run finds another one to wait for.
            job(table, spec).take(2).blockLast(PATIENCE);
        }
        job(table, spec.drainWhen(Mono.empty())).blockLast(PATIENCE);
        assertThat(rows(table)).isEqualTo(batch(accepted(ticks)));
    }

    @Test
    void theDigestSaysWhatWasComputedAndNotWhereBarriersFell() {
        append(5_000, 8);
        List<StoreDigest> digests = new ArrayList<>();
        for (int events : new int[] {1_000, 77}) {
            try (StateStore own =
                    StateStore.open(directory.resolve("every-" + events)).block(PATIENCE)) {
                TransactionalSink<WindowResult<String, Long>> both = TransactionalSink.<String, Long>table(
                                own, "counts")
                        .and(TransactionalSink.changelog(own, "changes"));
                CheckpointSpec spec = CheckpointSpec.everyEvents(events).named("job-" + events);
                job(both, spec).take(2).blockLast(PATIENCE);
                assertThat(StoreDigest.of(own).block(PATIENCE).rows()).isPositive();
                job(both, spec.drainWhen(Mono.empty())).blockLast(PATIENCE);
                StoreDigest whole = StoreDigest.of(own, DigestScope.everything().withoutJobNames())
                        .block(PATIENCE);
                assertThat(StoreDigest.of(own, DigestScope.job("job-" + events).withoutJobNames())
                                .block(PATIENCE))
                        .as("the store has only this job, whose sinks it knows")
                        .isEqualTo(whole);
                digests.add(whole);
                assertThat(StoreDigest.of(own).block(PATIENCE)).isNotEqualTo(whole);
            }
        }
        assertThat(digests.get(0)).isEqualTo(digests.get(1));
    }

    @Test
    void c17PartitionsWithoutRecordsHoldNothingAndARestartWithinAWindowCountsEachEventOnce() {
        List<AppendRecord> records = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            records.add(new Tick("only", i / 10).record()); // 1,000 in each window, all in one of four partitions
        }
        TableSink<String, Long> table = TransactionalSink.table(store, "counts");
        CheckpointSpec spec = CheckpointSpec.everyEvents(500).named("job");
        topic.topic().append(records.subList(0, 500)).block(PATIENCE);
        List<Checkpoint> first = job(table, spec).take(1).collectList().block(PATIENCE);
        assertThat(total(first).get(Counter.INGESTED)).isEqualTo(500);

        topic.topic().append(records.subList(500, 5_000)).block(PATIENCE);
        job(table, spec)
                .takeUntil(checkpoint -> total(List.of(checkpoint)).get(Counter.INGESTED) == 5_000)
                .blockLast(PATIENCE);
        Map<PlainBatch.Slot<String>, Long> expected = new HashMap<>();
        for (long start = 0; start < 400; start += 100) {
            expected.put(new PlainBatch.Slot<>("only", new TimeWindow(start, start + 100)), 1_000L);
        }
        assertThat(rows(table)).as("nobody waits for the empty partitions").isEqualTo(expected);
    }

    @Test
    void aFinishedJobCompletesAtOnceAndRefusesNewerRecords() {
        append(100, 3);
        TableSink<String, Long> table = TransactionalSink.table(store, "counts");
        CheckpointSpec spec = CheckpointSpec.everyEvents(50).named("job").drainWhen(Mono.empty());
        job(table, spec).blockLast(PATIENCE);
        assertThat(job(table, spec).collectList().block(PATIENCE)).isEmpty();
        append(100, 4);
        assertThatThrownBy(() -> job(table, spec).blockLast(PATIENCE)).hasMessageContaining("drained");
    }

    @Test
    void aStoppedJobFiresNothingAndItsNextRunGoesOn() {
        List<Tick> ticks = append(1_000, 5);
        TableSink<String, Long> table = TransactionalSink.table(store, "counts");
        CheckpointSpec spec =
                CheckpointSpec.everyEvents(100_000).orEvery(Duration.ofHours(1)).named("job");
        job(table, spec.stopWhen(Mono.empty())).blockLast(PATIENCE);
        assertThat(rows(table)).isEmpty();
        job(table, spec.drainWhen(Mono.empty())).blockLast(PATIENCE);
        assertThat(rows(table)).isEqualTo(batch(accepted(ticks)));
    }

    @Test
    void aSecondConcurrentSubscriptionFails() {
        TableSink<String, Long> table = TransactionalSink.table(store, "counts");
        Flux<Checkpoint> job = job(table, CheckpointSpec.everyEvents(10).named("job"));
        reactor.core.Disposable first = job.subscribe();
        assertThatThrownBy(() -> job.blockFirst(PATIENCE)).hasMessageContaining("already running");
        first.dispose();
    }

    @Test
    void lateEventsAreRowsOfTheSameCommit() {
        List<Tick> ticks = append(10_000, 6);
        TableSink<String, Long> table = TransactionalSink.table(store, "counts");
        LateTable<String> late = LateTable.of(store, "late", io.fluxmark.windows.Codec.strings());
        List<Checkpoint> checkpoints = LogSource.of(new TypedTopic<>(topic.topic(), EventCodec.utf8()))
                .watermarksMillis(
                        text -> Tick.parse(text).time(), WatermarkSpec.boundedOutOfOrderness(Duration.ofMillis(20)))
                .keyByRecordKey(text -> Tick.parse(text).key())
                .window(WINDOWS)
                .lateTo(late)
                .aggregate(Aggregations.counting())
                .writeTo(table, CheckpointSpec.everyEvents(500).named("job").drainWhen(Mono.empty()))
                .collectList()
                .block(PATIENCE);
        long side = total(checkpoints).get(Counter.SIDE);
        assertThat(side).isEqualTo(10_000L - accepted(ticks).size()).isPositive();
        assertThat(late.events().collectList().block(PATIENCE)).hasSize((int) side);
    }

    @Test
    void eachRecordThatCannotBeDecodedArrivesWithPartitionOffsetAndCause() {
        List<AppendRecord> records = new ArrayList<>();
        Set<String> bad = new HashSet<>();
        for (int i = 0; i < 1_000; i++) {
            int partition = i % PARTITIONS;
            if (i % 9 == 0) {
                bad.add(partition + "/" + i / PARTITIONS);
                records.add(AppendRecord.to(partition, i % 2 == 0 ? new byte[] {(byte) 0xFF} : null));
            } else {
                records.add(new Tick("k" + partition, i).record().withPartition(partition));
            }
        }
        topic.topic().append(records).block(PATIENCE);
        List<InvalidEvent> invalid = Collections.synchronizedList(new ArrayList<>());
        List<Checkpoint> checkpoints = LogSource.of(topic)
                .placedExplicitly()
                .invalidTo(invalid::add)
                .watermarksMillis(Tick::time, WatermarkSpec.boundedOutOfOrderness(Duration.ofMillis(20)))
                .keyByRecordKey(Tick::key)
                .window(WINDOWS)
                .aggregate(Aggregations.counting())
                .writeTo(
                        TransactionalSink.table(store, "counts"),
                        CheckpointSpec.everyEvents(100).named("job").drainWhen(Mono.empty()))
                .collectList()
                .block(PATIENCE);
        assertThat(total(checkpoints).get(Counter.REJECTED)).isEqualTo(bad.size());
        List<String> arrived = new ArrayList<>();
        for (InvalidEvent each : invalid) {
            LogRecord record = (LogRecord) each.event();
            assertThat(each.cause()).hasMessageContaining("offset " + record.offset());
            arrived.add(record.partition() + "/" + record.offset());
        }
        assertThat(arrived).containsExactlyInAnyOrderElementsOf(bad);
    }

    @Test
    void eachLaneOfARunningJobSaysWhyItsWindowsHaveNotFired() {
        List<AppendRecord> records = new ArrayList<>();
        for (int partition = 0; partition < PARTITIONS - 1; partition++) {
            for (int i = 0; i < 10; i++) {
                String tick = "k" + partition + "@" + (100 * partition + i);
                records.add(AppendRecord.to(partition, tick.getBytes(StandardCharsets.UTF_8)));
            }
        }
        topic.topic().append(records).block(PATIENCE);
        List<LiveExplanation> lanes = Collections.synchronizedList(new ArrayList<>());
        Flux<Checkpoint> job = LogSource.of(topic)
                .placedExplicitly()
                .watermarksMillis(Tick::time, WatermarkSpec.boundedOutOfOrderness(Duration.ofMillis(20)))
                .keyByRecordKey(Tick::key)
                .window(WINDOWS)
                .explainTo(lanes::add)
                .aggregate(Aggregations.counting())
                .writeTo(
                        TransactionalSink.table(store, "counts"),
                        CheckpointSpec.everyEvents(10).named("job"));
        Set<Integer> committed = new HashSet<>();
        List<Explanation> explained = job.filter(checkpoint -> {
                    checkpoint.lanes().forEach(lane -> committed.add(lane.lane()));
                    return committed.size() == PARTITIONS - 1;
                })
                .concatMap(checkpoint -> Flux.fromIterable(lanes)
                        .flatMap(LiveExplanation::explain)
                        .collectList())
                .blockFirst(PATIENCE);

        assertThat(explained).hasSize(PARTITIONS);
        for (Explanation lane : explained) {
            PartitionProgress holder = lane.holders().get(0);
            int partition = holder.partition();
            boolean hadEvents = partition < PARTITIONS - 1;
            assertThat(lane.holders()).hasSize(1);
            assertThat(holder.unread()).isZero();
            assertThat(holder.hasHadEvents()).isEqualTo(hadEvents);
            assertThat(lane.watermark()).isEqualTo(hadEvents ? 100L * partition + 9 - 20 - 1 : Watermark.NONE);
            assertThat(lane.next())
                    .isEqualTo(hadEvents ? new TimeWindow(100L * partition, 100L * partition + 100) : null);
        }
        assertThat(explained)
                .extracting(lane -> lane.holders().get(0).partition())
                .containsExactlyInAnyOrder(0, 1, 2, 3);
        assertThat(Flux.fromIterable(lanes)
                        .flatMap(LiveExplanation::explain)
                        .collectList()
                        .block(PATIENCE))
                .as("the answers of a job that is cancelled")
                .hasSize(PARTITIONS);
    }

    @Test
    void aKeyInTheWrongPartitionEndsTheJobNamingBoth() {
        int wrong = (topic.topic().partitionFor("k".getBytes(StandardCharsets.UTF_8)) + 1) % PARTITIONS;
        topic.topic()
                .append(List.of(AppendRecord.to(wrong, "k@1".getBytes(StandardCharsets.UTF_8))))
                .block(PATIENCE);
        assertThatThrownBy(() -> job(
                                TransactionalSink.table(store, "counts"),
                                CheckpointSpec.everyEvents(10).named("job").drainWhen(Mono.empty()))
                        .blockLast(PATIENCE))
                .hasMessageContaining("'k'")
                .hasMessageContaining("partition " + wrong);
    }
}
