package io.fluxmark.sinks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fluxmark.log.AppendRecord;
import io.fluxmark.log.Compaction;
import io.fluxmark.log.LogSpec;
import io.fluxmark.log.Retention;
import io.fluxmark.log.Topic;
import io.fluxmark.log.TopicSpec;
import io.fluxmark.sinks.MergedOracle.Tick;
import io.fluxmark.windows.Aggregations;
import io.fluxmark.windows.Checkpoint;
import io.fluxmark.windows.CheckpointSpec;
import io.fluxmark.windows.Counter;
import io.fluxmark.windows.Counters;
import io.fluxmark.windows.Explanation;
import io.fluxmark.windows.LiveExplanation;
import io.fluxmark.windows.PartitionProgress;
import io.fluxmark.windows.PlainBatch;
import io.fluxmark.windows.TimeWindow;
import io.fluxmark.windows.Watermark;
import io.fluxmark.windows.WatermarkSpec;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Jobs of {@code keyBy}: one lane over all partitions. */
class MergedJobTest {

    private static final Duration PATIENCE = MergedFixture.PATIENCE;
    private static final Duration NEVER = Duration.ofHours(1);

    @TempDir
    Path directory;

    private static CheckpointSpec every(long events) {
        return CheckpointSpec.everyEvents(events).orEvery(NEVER);
    }

    private static Map<PlainBatch.Slot<String>, Long> row(String key, long start, long count) {
        return Map.of(new PlainBatch.Slot<>(key, new TimeWindow(start, start + 100)), count);
    }

    @Test
    void aKeyOfAllPartitionsIsCountedAsOneAndNoEventIsLateBecauseItsPartitionWasReadLast() {
        try (MergedFixture job = new MergedFixture(directory, 4)) {
            // The last partition is read last by who reads one after the other.
            for (int p = 0; p < 4; p++) {
                job.append(p, "k", LongStream.range(0, 1_000).toArray());
            }
            List<Checkpoint> checkpoints =
                    job.job(every(500).drainWhen(Mono.empty())).collectList().block(PATIENCE);
            Map<PlainBatch.Slot<String>, Long> expected = new HashMap<>();
            for (long start = 0; start < 1_000; start += 100) {
                expected.putAll(row("k", start, 400));
            }
            assertThat(job.rows()).isEqualTo(expected);
            assertThat(job.status().counts().get(Counter.ON_TIME)).isEqualTo(4_000);
            Checkpoint last = checkpoints.get(checkpoints.size() - 1);
            assertThat(last.lanes()).hasSize(1);
            assertThat(last.lanes().get(0).positions())
                    .extracting(position -> position.partition() + "/" + position.nextOffset())
                    .containsExactly("0/1000", "1/1000", "2/1000", "3/1000");
        }
    }

    @Test
    void ofEqualTimesTheLowestPartitionIsReadFirst() {
        try (MergedFixture job = new MergedFixture(directory, 3)) {
            List<String> order = Collections.synchronizedList(new ArrayList<>());
            job.onEvent = tick -> order.add(tick.partition() + "@" + tick.time());
            job.append(2, "k", 1, 5, 5);
            job.append(0, "k", 5, 9);
            job.append(1, "k", 1, 4);
            job.job(every(100).drainWhen(Mono.empty())).blockLast(PATIENCE);
            assertThat(order.stream().distinct()).containsExactly("1@1", "2@1", "1@4", "0@5", "2@5", "0@9");
        }
    }

    @Test
    void aPartitionThatIsSilentHoldsAllWindowsBackUntilTheDrain() {
        try (MergedFixture job = new MergedFixture(directory, 2)) {
            job.append(0, "k", LongStream.range(0, 1_000).toArray());
            job.job(every(1_000)).blockFirst(PATIENCE);
            assertThat(job.rows()).isEmpty();
            assertThat(job.status().watermarks()).containsEntry("event-time-1", Watermark.NONE);
            job.job(every(1_000).drainWhen(Mono.empty())).blockLast(PATIENCE);
            assertThat(job.rows()).hasSize(10);
        }
    }

    @Test
    void aSilentPartitionThatIsIdleHoldsNothingBackAndItsLaterEventsAreJudgedAsWithoutARestart() {
        try (MergedFixture job = new MergedFixture(directory, 2)) {
            job.watermarks = WatermarkSpec.boundedOutOfOrderness(Duration.ofMillis(MergedFixture.DELAY))
                    .idleAfter(Duration.ofMillis(20));
            CheckpointSpec spec = CheckpointSpec.everyEvents(1_000).orEvery(Duration.ofMillis(10));
            job.append(0, "k", LongStream.range(0, 1_000).toArray());
            job.append(1, "k", 5);
            // All events may be committed long before the second partition is idle: what fires then is committed too.
            job.job(spec)
                    .concatMap(checkpoint -> job.table.rows().count())
                    .takeUntil(rows -> rows == 9)
                    .blockLast(PATIENCE);
            job.reopenStore();
            assertThat(job.rows()).containsAllEntriesOf(row("k", 0, 101)).hasSize(9);
            long idle = 999 - MergedFixture.DELAY - 1;
            assertThat(job.status().watermarks()).containsEntry("event-time-1", idle);

            job.append(1, "k", 6, 750, 870);
            job.job(spec.drainWhen(Mono.empty())).blockLast(PATIENCE);
            assertThat(job.status().counts().get(Counter.DROPPED))
                    .as("S47: the idle advance was committed, at 978 [0,100) and [700,800) are gone")
                    .isEqualTo(2);
            assertThat(job.status().counts().get(Counter.REFIRED)).isEqualTo(1);
            assertThat(job.rows()).containsAllEntriesOf(row("k", 0, 101)).containsAllEntriesOf(row("k", 800, 101));
        }
    }

    @Test
    void aFinishedJobCompletesAtOnceAndRefusesNewerRecordsInAnyPartition() {
        try (MergedFixture job = new MergedFixture(directory, 3)) {
            job.append(0, "k", 1, 2, 3);
            CheckpointSpec drained = every(10).drainWhen(Mono.empty());
            job.job(drained).blockLast(PATIENCE);
            assertThat(job.rows()).isEqualTo(row("k", 0, 3));
            assertThat(job.job(drained).collectList().block(PATIENCE)).isEmpty();
            job.append(2, "k", 4);
            assertThatThrownBy(() -> job.job(drained).blockLast(PATIENCE))
                    .hasMessageContaining("drained at offset 0 of partition 2")
                    .hasMessageContaining("new name");
        }
    }

    @Test
    void aStoppedJobFiresNothingAndGoesOnInEveryPartition() {
        try (MergedFixture job = new MergedFixture(directory, 3)) {
            job.append(0, "k", 1, 101, 201);
            job.append(1, "k", 2, 102, 202);
            job.append(2, "k", 3, 103, 203);
            job.job(every(1_000).stopWhen(Mono.empty())).blockLast(PATIENCE);
            assertThat(job.rows()).isEmpty();
            job.job(every(2).drainWhen(Mono.empty())).blockLast(PATIENCE);
            assertThat(job.rows())
                    .containsAllEntriesOf(row("k", 0, 3))
                    .containsAllEntriesOf(row("k", 100, 3))
                    .containsAllEntriesOf(row("k", 200, 3));
        }
    }

    @Test
    void aLogThatIsBehindTheStoreIsNamedByPartition() {
        try (MergedFixture job = new MergedFixture(directory, 2)) {
            job.append(0, "k", 1, 2);
            job.append(1, "k", 3, 4, 5);
            job.job(every(5)).blockFirst(PATIENCE);
            Path other = directory.resolve("other");
            try (MergedFixture fresh = new MergedFixture(other, 2)) {
                fresh.append(0, "k", 1, 2);
                fresh.append(1, "k", 3);
                assertThatThrownBy(() -> LogSource.of(fresh.topic)
                                .watermarksMillis(Tick::time, job.watermarks)
                                .keyBy(Tick::key)
                                .window(MergedFixture.WINDOWS)
                                .aggregate(Aggregations.counting())
                                .writeTo(job.table.and(job.changes), every(5).named(MergedFixture.JOB))
                                .blockLast(PATIENCE))
                        .hasMessageContaining("committed offset 3 of partition 1")
                        .hasMessageContaining("ends at 1");
            }
        }
    }

    @Test
    void aJobThatWasNotMergedIsRefusedAndTheOtherWayRound() {
        try (MergedFixture job = new MergedFixture(directory, 2)) {
            // Nothing in the first partition: its lane has never committed.
            job.append(1, "k", 1, 2);
            Flux<Checkpoint> byPartition = LogSource.of(job.topic)
                    .placedExplicitly()
                    .watermarksMillis(Tick::time, job.watermarks)
                    .keyByRecordKey(Tick::key)
                    .window(MergedFixture.WINDOWS)
                    .aggregate(Aggregations.counting())
                    .writeTo(job.table.and(job.changes), every(2).named(MergedFixture.JOB));
            byPartition.blockFirst(PATIENCE);
            assertThatThrownBy(() -> job.job(every(2)).blockFirst(PATIENCE))
                    .hasMessageContaining("was run as [a lane for each partition]")
                    .hasMessageContaining("2 partitions merged");
            job.reopenStore();
        }
        try (MergedFixture job = new MergedFixture(directory.resolve("second"), 2)) {
            job.append(1, "k", 1, 2);
            job.job(every(2)).blockFirst(PATIENCE);
            assertThatThrownBy(() -> LogSource.of(job.topic)
                            .placedExplicitly()
                            .watermarksMillis(Tick::time, job.watermarks)
                            .keyByRecordKey(Tick::key)
                            .window(MergedFixture.WINDOWS)
                            .aggregate(Aggregations.counting())
                            .writeTo(job.table.and(job.changes), every(2).named(MergedFixture.JOB))
                            .blockFirst(PATIENCE))
                    .hasMessageContaining("2 partitions merged");
        }
    }

    @Test
    void whatStandsInAnyPartitionBehindTheOldestCommitIsNotDeleted() {
        LogSpec small = LogSpec.defaults().segmentBytes(1024);
        TopicSpec spec = TopicSpec.partitions(2).retention(Retention.forever().maxBytes(1));
        try (MergedFixture job = new MergedFixture(directory, small, spec)) {
            for (int from = 0; from < 1_000; from += 10) {
                job.append(0, "k", LongStream.range(from, from + 10).toArray());
                job.append(1, "k", LongStream.range(500 + from, 500 + from + 10).toArray());
            }
            // The first commits are of the first partition alone; what is not committed has to stay in both.
            List<Long> kept = job.job(every(50))
                    .concatMap(checkpoint -> job.log.enforceRetention().then(job.readStatus()))
                    .map(lane -> lane.positions().stream()
                            .mapToLong(position -> position.nextOffset() - begin(job, position.partition()))
                            .min()
                            .orElseThrow())
                    .takeUntil(least -> begin(job, 0) > 0)
                    .collectList()
                    .block(PATIENCE);
            assertThat(kept).isNotEmpty().allMatch(least -> least >= 0);
            job.job(every(50).drainWhen(Mono.empty())).blockLast(PATIENCE);
            assertThat(job.rows().values().stream().mapToLong(count -> count).sum())
                    .isEqualTo(2_000);
        }
    }

    private static long begin(MergedFixture job, int partition) {
        return job.topic.topic().partition(partition).beginOffset();
    }

    @ParameterizedTest(name = "aPartitionWhoseLastOffsetsHaveNoRecordIsNotWaitedFor, partitions = {0}")
    @ValueSource(ints = {1, 2})
    void aPartitionWhoseLastOffsetsHaveNoRecordIsNotWaitedFor(int partitions) {
        TopicSpec spec =
                TopicSpec.partitions(partitions).compaction(Compaction.byKey().deleteHorizon(Duration.ZERO));
        try (MergedFixture job = new MergedFixture(directory, LogSpec.defaults(), spec)) {
            Topic topic = job.topic.topic();
            for (int p = 0; p < partitions; p++) {
                byte[] gone = "gone".getBytes(StandardCharsets.UTF_8);
                topic.append(List.of(
                                AppendRecord.of(
                                                "kept".getBytes(StandardCharsets.UTF_8),
                                                "k@1".getBytes(StandardCharsets.UTF_8))
                                        .withPartition(p),
                                AppendRecord.of(gone, "k@2".getBytes(StandardCharsets.UTF_8))
                                        .withPartition(p),
                                AppendRecord.of(gone, null).withPartition(p)))
                        .block(PATIENCE);
            }
            job.log.compact("ticks").block(PATIENCE);
            job.log.compact("ticks").block(PATIENCE);
            assertThat(topic.partition(0).readTo(0, 3).count().block(PATIENCE)).isEqualTo(1);
            CheckpointSpec often = CheckpointSpec.every(Duration.ofMillis(20));
            job.job(often.drainWhen(Mono.empty())).blockLast(PATIENCE);
            assertThat(job.rows()).isEqualTo(row("k", 0, partitions));
            assertThat(job.status().positions()).allMatch(position -> position.nextOffset() == 3);
        }
    }

    @Test
    void aMergedJobSaysWhichPartitionHoldsItsWindows() {
        try (MergedFixture job = new MergedFixture(directory, 3)) {
            job.append(0, "k", 300);
            job.append(1, "k", 200);
            job.append(2, "k", 250);
            List<LiveExplanation> lanes = Collections.synchronizedList(new ArrayList<>());
            Explanation explained = LogSource.of(job.topic)
                    .watermarksMillis(Tick::time, job.watermarks)
                    .keyBy(Tick::key)
                    .window(MergedFixture.WINDOWS)
                    .explainTo(lanes::add)
                    .aggregate(Aggregations.counting())
                    .writeTo(job.table, every(3).named("explained"))
                    .concatMap(checkpoint -> lanes.get(0).explain())
                    .blockFirst(PATIENCE);
            assertThat(lanes).hasSize(1);
            assertThat(explained.holders())
                    .extracting(PartitionProgress::partition)
                    .containsExactly(1);
            assertThat(explained.holders().get(0).unread()).isZero();
            assertThat(explained.watermark()).isEqualTo(200 - MergedFixture.DELAY - 1);
        }
    }

    @ParameterizedTest(name = "c61InTimeRecordsStayInTimeAfterARestartAtEachOffset, partitions = {0}")
    @ValueSource(ints = {1, 3})
    void c61InTimeRecordsStayInTimeAfterARestartAtEachOffset(int partitions) {
        List<List<@Nullable Tick>> input = new ArrayList<>();
        Random random = new Random(61);
        for (int p = 0; p < partitions; p++) {
            List<@Nullable Tick> ticks = new ArrayList<>();
            for (int i = 0; i < 210 / partitions; i++) {
                long time = i * 10L * partitions - random.nextInt(i % 7 == 0 ? 400 : 20);
                ticks.add(new Tick(p, "k" + random.nextInt(3), Math.max(0, time)));
            }
            input.add(ticks);
        }
        MergedOracle oracle = new MergedOracle(MergedFixture.DELAY, MergedFixture.SIZE, MergedFixture.LATENESS);
        oracle.run(input);
        try (MergedFixture job = new MergedFixture(directory, partitions)) {
            for (int offset = 1; offset <= oracle.records(); offset++) {
                Tick next = oracle.order().get(offset - 1);
                job.append(next.partition(), List.of(next));
                job.job(every(1)).blockFirst(PATIENCE);
                Counters counts = job.status().counts();
                MergedOracle.State expected = oracle.after(offset);
                assertThat(counts.get(Counter.ON_TIME)).isEqualTo(expected.onTime());
                assertThat(counts.get(Counter.REFIRED)).isEqualTo(expected.refired());
                assertThat(counts.get(Counter.DROPPED)).isEqualTo(expected.dropped());
            }
            job.job(every(1).drainWhen(Mono.empty())).blockLast(PATIENCE);
            assertThat(job.status().counts().get(Counter.DROPPED)).isPositive();
            assertThat(job.rows()).isEqualTo(MergedFixture.batch(oracle.accepted()));
        }
    }

    @ParameterizedTest(name = "c58WindowsThatWereOpenAtTheCrashFireOnceEach, partitions = {0}")
    @ValueSource(ints = {1, 2})
    void c58WindowsThatWereOpenAtTheCrashFireOnceEach(int partitions) {
        try (MergedFixture job = new MergedFixture(directory, partitions)) {
            job.watermarks = WatermarkSpec.boundedOutOfOrderness(Duration.ofSeconds(1));
            for (int p = 0; p < partitions; p++) {
                job.append(p, "k", 50, 150, 250);
            }
            job.job(every(3L * partitions)).blockFirst(PATIENCE);
            job.reopenStore();
            assertThat(job.rows()).as("three windows are open").isEmpty();
            for (int p = 0; p < partitions; p++) {
                job.append(p, "k", 2_000);
            }
            job.job(every(partitions)).blockFirst(PATIENCE);
            assertThat(job.emissions())
                    .extracting(result -> result.window().start() + ":" + result.value())
                    .containsExactly("0:" + partitions, "100:" + partitions, "200:" + partitions);
        }
    }

    @ParameterizedTest(name = "c59AWindowClosesAfterACrashWithoutAnotherEventOfItsKey, partitions = {0}")
    @ValueSource(ints = {1, 2})
    void c59AWindowClosesAfterACrashWithoutAnotherEventOfItsKey(int partitions) {
        try (MergedFixture job = new MergedFixture(directory, partitions)) {
            job.append(0, "A", 0);
            job.append(partitions - 1, "B", 0);
            job.job(every(2)).blockFirst(PATIENCE);
            job.reopenStore();
            for (int p = 0; p < partitions; p++) {
                job.append(p, "A", 130);
            }
            job.job(every(partitions)).blockFirst(PATIENCE);
            assertThat(job.rows()).containsAllEntriesOf(row("A", 0, 1)).containsAllEntriesOf(row("B", 0, 1));
        }
    }
}
