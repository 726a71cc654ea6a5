package io.fluxmark.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.Disposable;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Compaction by key: what stays, what goes, and when. */
class CompactionTest {

    @TempDir
    Path directory;

    private final FaultStorage storage = FaultStorage.fast();
    private final VirtualTimeScheduler clock = VirtualTimeScheduler.create();
    private final LogSpec spec = LogSpec.defaults()
            .storage(storage)
            .clock(clock)
            .segmentBytes(1024)
            .retentionInterval(Duration.ofMinutes(1))
            .writerExecutor(Runnable::run);
    private final ExecutorService writer = Executors.newSingleThreadExecutor();
    private final Compaction byKey = Compaction.byKey().deleteHorizon(Duration.ofHours(1));

    @Test
    void theLastRecordOfEachKeyStaysAtItsOffset() {
        try (EventLog log = Logs.open(directory, spec)) {
            Topic topic = create(log, byKey);
            for (int i = 0; i < 100; i++) {
                put(topic, "k" + i % 7, "v" + i);
            }
            CompactionResult result = compact(log);
            assertThat(result.recordsBefore()).isEqualTo(100);
            assertThat(result.recordsAfter()).isEqualTo(7);
            assertThat(result.tombstonesRemoved()).isZero();
            assertThat(result.bytesAfter()).isLessThan(result.bytesBefore() / 5);
            List<LogRecord> left = Logs.readAll(topic.partition(0));
            assertThat(left).extracting(LogRecord::offset).containsExactly(93L, 94L, 95L, 96L, 97L, 98L, 99L);
            assertThat(topic.partition(0).beginOffset()).isZero();
            assertThat(topic.partition(0).endOffset()).isEqualTo(100);
            // All that is left is one segment, and the one being written.
            assertThat(Logs.segmentBases(directory)).containsExactly(0L, 100L);
            put(topic, "k0", "new");
            assertThat(Logs.append(topic, record("k1", "new"))).containsExactly(new AppendResult(0, 101, false));
        }
        try (EventLog log = Logs.open(directory, spec)) {
            Partition partition = log.topic(Logs.TOPIC).partition(0);
            assertThat(partition.verify().collectList().block(Logs.WAIT)).isEmpty();
            assertThat(fold(Logs.readAll(partition))).containsEntry("k0", "new").hasSize(7);
            assertThat(Logs.readAll(partition)).hasSize(9);
            assertThat(partition
                            .readTo(50, 95)
                            .map(LogRecord::offset)
                            .collectList()
                            .block(Logs.WAIT))
                    .containsExactly(93L, 94L);
            assertThat(log.topic(Logs.TOPIC).compaction()).isEqualTo(byKey);
        }
    }

    @Test
    void aTombstoneStaysUntilItsHorizonSinceItWasCompactedFirst() {
        try (EventLog log = Logs.open(directory, spec)) {
            Topic topic = create(log, byKey);
            put(topic, "gone", "1");
            put(topic, "kept", "2");
            put(topic, "gone", null);
            clock.advanceTimeBy(Duration.ofDays(3));
            assertThat(compact(log).recordsAfter()).isEqualTo(2);
            clock.advanceTimeBy(Duration.ofHours(1).minusMillis(1));
            assertThat(compact(log).tombstonesRemoved()).isZero();
            assertThat(Logs.readAll(topic.partition(0)))
                    .extracting(LogRecord::offset)
                    .containsExactly(1L, 2L);
            assertThat(Logs.readAll(topic.partition(0)).get(1).appendTime()).isZero();
        }
        // The horizon is in the log itself.
        try (EventLog log = Logs.open(directory, spec)) {
            clock.advanceTimeBy(Duration.ofMillis(1));
            CompactionResult result = compact(log);
            assertThat(result.tombstonesRemoved()).isEqualTo(1);
            assertThat(result.recordsBefore()).isEqualTo(2);
            assertThat(result.recordsAfter()).isEqualTo(1);
            assertThat(Logs.readAll(log.topic(Logs.TOPIC).partition(0)))
                    .extracting(LogRecord::offset)
                    .containsExactly(1L);
        }
    }

    @Test
    void byItselfItIsDoneWhenEnoughIsNewAndTheSegmentBeingWrittenIsLeftAlone() throws Exception {
        try (EventLog log = Logs.open(directory, spec)) {
            Topic topic = create(log, byKey.minDirtyRatio(0.5).minLag(Duration.ofMinutes(10)));
            for (int i = 0; i < 50; i++) {
                put(topic, "k", "v" + i);
            }
            List<Long> bases = Logs.segmentBases(directory);
            long active = bases.get(bases.size() - 1);
            clock.advanceTimeBy(Duration.ofMinutes(9));
            assertThat(Logs.readAll(topic.partition(0))).hasSize(50);
            clock.advanceTimeBy(Duration.ofMinutes(1));
            awaitSegments(0, active);
            assertThat(Logs.readAll(topic.partition(0))).hasSize((int) (50 - active) + 1);
            // What is left of it is small: a little that is new is more than half.
            for (int i = 0; i < 20; i++) {
                put(topic, "k", "w" + i);
            }
            bases = Logs.segmentBases(directory);
            clock.advanceTimeBy(Duration.ofMinutes(11));
            awaitSegments(0, bases.get(bases.size() - 1));
            assertThat(fold(Logs.readAll(topic.partition(0)))).containsOnly(Map.entry("k", "w19"));
        }
    }

    @Test
    void whatSomebodyNeedsIsNotRemoved() {
        try (EventLog log = Logs.open(directory, spec)) {
            Topic topic = create(log, byKey);
            for (int i = 0; i < 60; i++) {
                put(topic, "k", "v" + i);
            }
            List<Long> bases = Logs.segmentBases(directory);
            long[] needed = {bases.get(2) + 1};
            Disposable floor = log.register((name, id) -> needed[0]);
            assertThat(compact(log).recordsBefore()).isEqualTo(bases.get(2));
            List<LogRecord> left = Logs.readAll(topic.partition(0));
            assertThat(left.get(0).offset()).isEqualTo(bases.get(2) - 1);
            assertThat(left).hasSize((int) (60 - bases.get(2)) + 1);
            needed[0] = 0;
            assertThat(compact(log)).isEqualTo(CompactionResult.NOTHING);
            floor.dispose();
            assertThat(compact(log).recordsAfter()).isEqualTo(1);
        }
    }

    @Test
    void moreKeysThanFitIntoMemoryTakeSeveralPasses() {
        try (EventLog log = Logs.open(directory, spec.compactionBytes(1024).segmentBytes(4096))) {
            Topic topic = create(log, byKey);
            for (int round = 0; round < 4; round++) {
                for (int i = 0; i < 300; i++) {
                    put(topic, "key-" + i, "v" + round);
                }
            }
            CompactionResult result = compact(log);
            assertThat(result.recordsBefore()).isEqualTo(1200);
            assertThat(result.recordsAfter()).isEqualTo(300);
            assertThat(Logs.readAll(topic.partition(0)))
                    .extracting(LogRecord::offset)
                    .isEqualTo(LongStream.range(900, 1200).boxed().toList());
            assertThat(topic.partition(0).verify().collectList().block(Logs.WAIT))
                    .isEmpty();
        }
    }

    @Test
    void aRecordWithoutKeyIsRefusedBeforeItIsQueued() {
        try (EventLog log = Logs.open(directory, spec)) {
            Topic topic = create(log, byKey);
            assertThatThrownBy(() -> Logs.append(topic, record("k", "v"), AppendRecord.to(0, Logs.bytes("v"))))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("without key")
                    .hasMessageContaining("'" + Logs.TOPIC + "'");
            assertThat(topic.partition(0).endOffset()).isZero();
        }
    }

    @Test
    void aTopicThatKeepsEverythingIsNotCompacted() {
        try (EventLog log = Logs.open(directory, spec)) {
            Topic topic = Logs.topic(log);
            assertThatThrownBy(() -> log.compact(topic.name()).block(Logs.WAIT)).hasMessageContaining("byKey");
            assertThatThrownBy(() -> log.compact("nope")).isInstanceOf(UnknownTopicException.class);
        }
        assertThatThrownBy(() -> Compaction.none().minLag(Duration.ZERO)).hasMessageContaining("byKey");
        assertThatThrownBy(() -> Compaction.byKey().minDirtyRatio(1.5)).hasMessageContaining("1.5");
        assertThatThrownBy(() -> Compaction.byKey().deleteHorizon(Duration.ofDays(-1)))
                .hasMessageContaining("PT-24H");
    }

    @Test
    void whatAnEarlierVersionWouldNotKnowIsAFormatOfItsOwn() throws Exception {
        try (EventLog log = Logs.open(directory, spec)) {
            create(log, byKey.minLag(Duration.ofSeconds(2)).minDirtyRatio(0.29));
            assertThat(Files.readString(Logs.metadataFile(directory)))
                    .isEqualTo(
                            """
                            format=3
                            partitions=1
                            retention.ms=-1
                            retention.bytes=-1
                            compaction.dirty.percent=29
                            compaction.lag.ms=2000
                            compaction.horizon.ms=3600000
                            """);
            log.changeRetention(Logs.TOPIC, Retention.forever().maxBytes(5)).block(Logs.WAIT);
        }
        try (EventLog log = Logs.open(directory, spec)) {
            Topic topic = log.topic(Logs.TOPIC);
            assertThat(topic.compaction())
                    .isEqualTo(byKey.minLag(Duration.ofSeconds(2)).minDirtyRatio(0.29));
            assertThat(topic.retention()).isEqualTo(Retention.forever().maxBytes(5));
        }
    }

    @Test
    void producersAreStillKnownAndRepeatsStillFound() {
        LogImage crashed;
        try (EventLog log = Logs.open(directory, spec)) {
            Topic topic = create(log, byKey);
            for (int i = 0; i < 200; i++) {
                Logs.append(topic, record("k" + i % 3, "v" + i).withSequence("p", i));
            }
            compact(log);
            crashed = LogImage.of(directory);
        }
        crashed.writeTo(directory);
        try (EventLog log = Logs.open(directory, spec)) {
            Topic topic = log.topic(Logs.TOPIC);
            for (int i = 0; i < 200; i++) {
                assertThat(Logs.append(topic, record("k" + i % 3, "v" + i).withSequence("p", i)))
                        .containsExactly(new AppendResult(0, i, true));
            }
            assertThat(Logs.readAll(topic.partition(0))).hasSize(3);
        }
    }

    @Test
    void aRepeatOfWhatWasRemovedLongAgoIsRefusedAndSaysWhy() {
        try (EventLog log = Logs.open(directory, spec.segmentBytes(64 << 10))) {
            Topic topic = create(log, byKey);
            for (int i = 0; i < 2_000; i++) {
                Logs.append(topic, record("k" + i % 3, "v" + i).withSequence("p", i));
            }
            compact(log);
            assertThat(Logs.append(topic, record("k", "v").withSequence("p", 1_500)))
                    .containsExactly(new AppendResult(0, 1_500, true));
            assertThatThrownBy(() -> Logs.append(topic, record("k", "v").withSequence("p", 17)))
                    .isInstanceOf(OutOfOrderSequenceException.class)
                    .hasMessageContaining("retention or compaction has deleted");
        }
    }

    @Test
    void retentionMayDeleteWhatIsBeingCompacted() {
        try (EventLog log = Logs.open(directory, spec)) {
            Topic topic = log.createTopic(
                            Logs.TOPIC,
                            TopicSpec.partitions(1)
                                    .compaction(byKey)
                                    .retention(Retention.forever().maxBytes(1)))
                    .block(Logs.WAIT);
            for (int i = 0; i < 60; i++) {
                put(topic, "k" + i, "v" + i);
            }
            storage.onWrite = (file, source, position, target) -> {
                if (file.toString().endsWith(".log.tmp")) {
                    storage.onWrite = (other, bytes, at, to) -> {};
                    log.enforceRetention().block(Logs.WAIT);
                }
            };
            compact(log);
            assertThat(topic.partition(0).beginOffset()).isPositive();
            assertThat(topic.partition(0).verify().collectList().block(Logs.WAIT))
                    .isEmpty();
            assertThat(LogImage.of(directory).names()).noneMatch(name -> name.endsWith(".tmp"));
            compact(log);
            assertThat(topic.partition(0).endOffset()).isEqualTo(60);
        }
    }

    /** Every batch that is left leads to the next: one that is missing is missed, though records are missing all around. */
    @Test
    void damageInACompactedSegmentIsFoundWithItsExactRange() throws Exception {
        try (EventLog log = Logs.open(directory, spec)) {
            Topic topic = create(log, byKey);
            for (int i = 0; i < 200; i++) {
                put(topic, "k" + (i % 50 == 0 ? i : "x"), "v" + i);
            }
            compact(log);
            assertThat(Logs.readAll(topic.partition(0)))
                    .extracting(LogRecord::offset)
                    .containsExactly(0L, 50L, 100L, 150L, 199L);
        }
        Path file = Logs.segment(directory, 0);
        byte[] bytes = Files.readAllBytes(file);
        int second = 12 + ByteBuffer.wrap(bytes).getInt(8);
        bytes[second + 70] ^= 1;
        Files.write(file, bytes);
        try (EventLog log = Logs.open(directory, spec)) {
            Partition partition = log.topic(Logs.TOPIC).partition(0);
            List<CorruptSegmentException> damage =
                    partition.verify().collectList().block(Logs.WAIT);
            assertThat(damage).singleElement().satisfies(found -> {
                assertThat(found.offset()).isEqualTo(50);
                assertThat(found.lostUntil()).isEqualTo(100);
            });
            assertThatThrownBy(() -> compact(log)).isInstanceOf(CorruptSegmentException.class);
            assertThat(Files.readAllBytes(file)).isEqualTo(bytes);
            assertThat(partition
                            .readTo(100, 200)
                            .map(LogRecord::offset)
                            .collectList()
                            .block(Logs.WAIT))
                    .containsExactly(100L, 150L, 199L);
        }
        assertThat(EventLog.repair(directory, spec).block(Logs.WAIT))
                .singleElement()
                .satisfies(lost -> assertThat(lost.from()).isEqualTo(50));
        try (EventLog log = Logs.open(directory, spec)) {
            compact(log);
            assertThat(Logs.readAll(log.topic(Logs.TOPIC).partition(0)))
                    .extracting(LogRecord::offset)
                    .containsExactly(0L, 100L, 150L, 199L);
        }
    }

    @Test
    void afterAFailedWriteEverythingIsAsItWasAndTheNextTimeItIsDone() {
        try (EventLog log = Logs.open(directory, spec)) {
            Topic topic = create(log, byKey);
            for (int i = 0; i < 60; i++) {
                put(topic, "k" + i % 2, "v" + i);
            }
            storage.onWrite = (file, source, position, target) -> {
                if (file.toString().endsWith(".log.tmp")) {
                    throw new IOException("No space left on device");
                }
            };
            assertThatThrownBy(() -> compact(log)).hasMessageContaining("No space left");
            assertThat(Logs.readAll(topic.partition(0))).hasSize(60);
            assertThat(LogImage.of(directory).names()).noneMatch(name -> name.endsWith(".tmp"));
            storage.onWrite = (file, source, position, target) -> {};
            assertThat(compact(log).recordsAfter()).isEqualTo(2);
            assertThat(Logs.readAll(topic.partition(0))).hasSize(2);
            assertThat(storage.open.get()).isLessThanOrEqualTo(1);
        }
    }

    /** A segment is being written again, and is not finished before an append is answered. */
    @Test
    void appendsDoNotWaitForACompaction() {
        try (EventLog log = Logs.open(directory, spec.writerExecutor(writer))) {
            Topic topic = create(log, byKey);
            for (int i = 0; i < 60; i++) {
                put(topic, "k", "v" + i);
            }
            storage.onWrite = (file, source, position, target) -> {
                if (file.toString().endsWith(".log.tmp")) {
                    storage.onWrite = (other, bytes, at, to) -> {};
                    put(topic, "k", "meanwhile");
                }
            };
            assertThat(compact(log).recordsAfter()).isEqualTo(1);
            assertThat(fold(Logs.readAll(topic.partition(0)))).containsOnly(Map.entry("k", "meanwhile"));
            assertThat(topic.partition(0).endOffset()).isEqualTo(61);
        } finally {
            writer.shutdown();
        }
    }

    @Test
    void closingTheLogEndsACompactionWithoutEffect() throws Exception {
        CompletableFuture<Void> closing = new CompletableFuture<>();
        EventLog log = Logs.open(directory, spec.writerExecutor(writer));
        Topic topic = create(log, byKey);
        for (int i = 0; i < 200; i++) {
            put(topic, "k" + i, "v" + i);
            put(topic, "k" + i, "w" + i);
        }
        storage.onWrite = (file, source, position, target) -> {
            if (file.toString().endsWith(".log.tmp") && position > 0) {
                storage.onWrite = (other, bytes, at, to) -> {};
                Thread closer = new Thread(() -> {
                    log.close();
                    closing.complete(null);
                });
                closer.start();
                // From here on the queue takes nothing more; the exchange of what is being written is refused.
                while (!isClosing(topic)) {
                    Thread.onSpinWait();
                }
            }
        };
        assertThatThrownBy(() -> compact(log)).isInstanceOf(LogClosedException.class);
        closing.get(Logs.WAIT.toSeconds(), TimeUnit.SECONDS);
        writer.shutdown();
        assertThat(storage.open.get()).isZero();
        try (EventLog again = Logs.open(directory, spec)) {
            assertThat(Logs.readAll(again.topic(Logs.TOPIC).partition(0))).hasSize(400);
            assertThat(compact(again).recordsAfter()).isEqualTo(200);
        }
    }

    /** Forcing what is ahead of the log is refused while it is open, and does nothing. */
    private static boolean isClosing(Topic topic) {
        try {
            topic.partition(0).force(Long.MAX_VALUE).block(Logs.WAIT);
            return false;
        } catch (OffsetOutOfRangeException e) {
            return false;
        } catch (LogClosedException e) {
            return true;
        }
    }

    @Test
    void aTopicDeletedMeanwhileTakesNothingOfItsSuccessorAlong() {
        try (EventLog log = Logs.open(directory, spec)) {
            Topic topic = create(log, byKey);
            for (int i = 0; i < 60; i++) {
                put(topic, "k", "v" + i);
            }
            storage.onWrite = (file, source, position, target) -> {
                if (file.toString().endsWith(".log.tmp")) {
                    storage.onWrite = (other, bytes, at, to) -> {};
                    log.deleteTopic(Logs.TOPIC).block(Logs.WAIT);
                    put(create(log, byKey), "k", "of the new one");
                }
            };
            assertThatThrownBy(() -> compact(log)).isInstanceOf(TopicDeletedException.class);
            assertThat(fold(Logs.readAll(log.topic(Logs.TOPIC).partition(0))))
                    .containsOnly(Map.entry("k", "of the new one"));
            assertThat(compact(log).recordsAfter()).isEqualTo(1);
        }
        try (EventLog log = Logs.open(directory, spec)) {
            assertThat(fold(Logs.readAll(log.topic(Logs.TOPIC).partition(0))))
                    .containsOnly(Map.entry("k", "of the new one"));
        }
    }

    /** C86: the file a reader is in is replaced while it waits; it goes on in the replacement. */
    @Test
    void aReaderInAReplacedSegmentGoesOnInTheReplacement() {
        try (EventLog log = Logs.open(directory, spec)) {
            Topic topic = create(log, byKey);
            for (int i = 0; i < 60; i++) {
                put(topic, "k" + i % 20, "v" + i);
            }
            for (int start : new int[] {0, 7, 39, 40, 59}) {
                List<LogRecord> original = topic.partition(0)
                        .readTo(start, 60)
                        .limitRate(1)
                        .doOnNext(record -> {
                            if (record.offset() == start) {
                                compact(log);
                            }
                        })
                        .collectList()
                        .block(Logs.WAIT);
                assertThat(original).extracting(LogRecord::offset).isSorted().doesNotHaveDuplicates();
                assertThat(original)
                        .extracting(LogRecord::offset)
                        .containsAll(LongStream.range(Math.max(start, 40), 60)
                                .boxed()
                                .toList());
            }
        }
    }

    private Topic create(EventLog log, Compaction compaction) {
        return log.createTopic(Logs.TOPIC, TopicSpec.partitions(1).compaction(compaction))
                .block(Logs.WAIT);
    }

    private static CompactionResult compact(EventLog log) {
        return log.compact(Logs.TOPIC).block(Logs.WAIT);
    }

    private static AppendRecord record(String key, @Nullable String value) {
        return AppendRecord.to(0, Logs.bytes(key), value == null ? null : Logs.bytes(value));
    }

    private static void put(Topic topic, String key, @Nullable String value) {
        Logs.append(topic, record(key, value));
    }

    /** What a table of the records holds. */
    static Map<String, String> fold(List<LogRecord> records) {
        Map<String, String> table = new TreeMap<>();
        for (LogRecord record : records) {
            String key = new String(record.key(), StandardCharsets.UTF_8);
            if (record.value() == null) {
                table.remove(key);
            } else {
                table.put(key, new String(record.value(), StandardCharsets.UTF_8));
            }
        }
        return table;
    }

    /** A compaction that began by itself runs on another thread. */
    private void awaitSegments(long... bases) {
        long deadline = System.nanoTime() + Logs.WAIT.toNanos();
        List<Long> expected = LongStream.of(bases).boxed().toList();
        while (!Logs.segmentBases(directory).equals(expected) && System.nanoTime() < deadline) {
            clock.advanceTimeBy(Duration.ofMinutes(1));
            Thread.onSpinWait();
        }
        assertThat(Logs.segmentBases(directory)).isEqualTo(expected);
    }
}
