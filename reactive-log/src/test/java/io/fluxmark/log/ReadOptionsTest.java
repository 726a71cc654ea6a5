package io.fluxmark.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

/** Where readers go on when the offset they are to read is not there, and what they hold meanwhile. */
class ReadOptionsTest {

    @TempDir
    Path directory;

    private final LogSpec spec = LogSpec.defaults()
            .storage(FaultStorage.fast())
            .segmentBytes(1024)
            .readBufferBytes(512)
            .writerExecutor(Runnable::run);
    private final List<OffsetReset> resets = new CopyOnWriteArrayList<>();

    @Test
    void belowTheBeginAReaderFailsOrGoesOnWithTheCount() {
        try (EventLog log = Logs.open(directory, spec)) {
            Partition partition = shortened(log);
            long begin = partition.beginOffset();
            assertThatThrownBy(() -> partition.read(ReadOptions.from(5)).blockFirst(Logs.WAIT))
                    .isInstanceOfSatisfying(OffsetOutOfRangeException.class, e -> assertThat(e.lost())
                            .isEqualTo(begin - 5));
            StepVerifier.create(partition.read(ReadOptions.from(5)
                            .to(begin + 2)
                            .ifOutOfRange(OffsetPolicy.EARLIEST)
                            .onReset(resets::add)))
                    .expectNextMatches(record -> record.offset() == begin)
                    .expectNextMatches(record -> record.offset() == begin + 1)
                    .expectComplete()
                    .verify(Logs.WAIT);
            assertThat(resets).containsExactly(new OffsetReset(0, 5, begin, begin - 5));
            assertThat(resets.get(0).skipped()).isEqualTo(begin - 5);
            resets.clear();
            StepVerifier.create(partition
                            .read(ReadOptions.from(5)
                                    .ifOutOfRange(OffsetPolicy.LATEST)
                                    .onReset(resets::add))
                            .map(LogRecord::offset))
                    .then(() -> awaitReset())
                    .then(() -> Logs.append(log.topic(Logs.TOPIC), Logs.record(200)))
                    .expectNext(200L)
                    .thenCancel()
                    .verify(Logs.WAIT);
            assertThat(resets).containsExactly(new OffsetReset(0, 5, 200, begin - 5));
            assertThat(resets.get(0).skipped()).isEqualTo(195);
        }
    }

    /** C85: stored offset 500, the log ends at 480. */
    @Test
    void c85AheadOfTheEndNothingIsReadUnlessAPolicySaysSo() {
        try (EventLog log = Logs.open(directory, spec)) {
            Topic topic = Logs.topic(log);
            topic.append(IntStream.range(0, 480).mapToObj(Logs::record).toList())
                    .block(Logs.WAIT);
            Partition partition = topic.partition(0);
            assertThatThrownBy(() -> partition.read(500).blockFirst(Logs.WAIT))
                    .isInstanceOf(OffsetOutOfRangeException.class)
                    .hasMessageContaining("ahead of the end by 20");
            ReadOptions ahead = ReadOptions.from(500).onReset(resets::add);
            assertThat(partition
                            .read(ahead.ifOutOfRange(OffsetPolicy.EARLIEST))
                            .take(480)
                            .map(LogRecord::offset)
                            .collectList()
                            .block(Logs.WAIT))
                    .isEqualTo(LongStream.range(0, 480).boxed().toList());
            assertThat(partition
                            .readRuns(ahead.ifOutOfRange(OffsetPolicy.LATEST), 10, Schedulers.boundedElastic())
                            .doOnSubscribe(s -> Schedulers.parallel().schedule(() -> {
                                awaitResets(2);
                                Logs.append(topic, Logs.record(480));
                            }))
                            .blockFirst(Logs.WAIT))
                    .extracting(LogRecord::offset)
                    .containsExactly(480L);
            assertThat(resets).containsExactly(new OffsetReset(0, 500, 0, 0), new OffsetReset(0, 500, 480, 0));
            assertThat(resets.get(1).skipped()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(OffsetPolicy.class)
    void whenRetentionOvertakesAReaderItIsTheSame(OffsetPolicy policy) {
        try (EventLog log = Logs.open(directory, spec)) {
            Topic topic = log.createTopic(
                            Logs.TOPIC,
                            TopicSpec.partitions(1)
                                    .retention(Retention.forever().maxBytes(2000)))
                    .block(Logs.WAIT);
            Logs.appendEach(topic, 0, 200);
            List<Long> read = new ArrayList<>();
            long[] begin = new long[1];
            StepVerifier.FirstStep<Long> verifier = StepVerifier.create(
                    topic.partition(0)
                            .read(ReadOptions.from(0)
                                    .to(200)
                                    .ifOutOfRange(policy)
                                    .onReset(resets::add))
                            .map(LogRecord::offset)
                            .doOnNext(read::add),
                    1);
            StepVerifier.Step<Long> overtaken = verifier.expectNext(0L).then(() -> {
                log.enforceRetention().block(Logs.WAIT);
                begin[0] = topic.partition(0).beginOffset();
            });
            if (policy == OffsetPolicy.FAIL) {
                overtaken
                        .thenRequest(Long.MAX_VALUE)
                        .thenConsumeWhile(offset -> true)
                        .expectError(OffsetOutOfRangeException.class)
                        .verify(Logs.WAIT);
                assertThat(resets).isEmpty();
                return;
            }
            overtaken
                    .thenRequest(Long.MAX_VALUE)
                    .thenConsumeWhile(offset -> true)
                    .expectComplete()
                    .verify(Logs.WAIT);
            OffsetReset reset = resets.get(0);
            assertThat(resets).hasSize(1);
            assertThat(begin[0]).isPositive();
            // What it had open it read to the end.
            assertThat(read.subList(0, (int) reset.requested()))
                    .isEqualTo(LongStream.range(0, reset.requested()).boxed().toList());
            assertThat(reset.deleted()).isEqualTo(begin[0] - reset.requested());
            assertThat(reset.resumed()).isEqualTo(policy == OffsetPolicy.EARLIEST ? begin[0] : 200);
            assertThat(read.subList((int) reset.requested(), read.size()))
                    .isEqualTo(LongStream.range(reset.resumed(), 200).boxed().toList());
        }
    }

    @Test
    void whatTheListenerThrowsEndsTheReader() {
        try (EventLog log = Logs.open(directory, spec)) {
            Partition partition = shortened(log);
            StepVerifier.create(partition.read(ReadOptions.from(0)
                            .ifOutOfRange(OffsetPolicy.EARLIEST)
                            .onReset(reset -> {
                                throw new IllegalStateException("not that many");
                            })))
                    .expectErrorMessage("not that many")
                    .verify(Logs.WAIT);
            assertThat(partition.readers()).isZero();
        }
        assertThatThrownBy(() -> ReadOptions.from(3).to(2)).hasMessageContaining("[3, 2)");
    }

    @ParameterizedTest
    @EnumSource(Compression.class)
    void whatReadersHoldIsKnownAndGoesWithThem(Compression compression) {
        LogSpec packed = spec.compression(compression).readBufferBytes(64 << 10).segmentBytes(1 << 20);
        try (EventLog log = Logs.open(directory, packed)) {
            Topic topic = Logs.topic(log);
            topic.append(IntStream.range(0, 2_000).mapToObj(Logs::record).toList())
                    .block(Logs.WAIT);
            Partition partition = topic.partition(0);
            assertThat(partition.bufferedBytes()).isZero();
            StepVerifier.create(partition.read(0), 3)
                    .expectNextCount(3)
                    .then(() -> assertThat(partition.bufferedBytes())
                            .isBetween(64L << 10, compression == Compression.NONE ? 64L << 10 : 256L << 10))
                    .thenCancel()
                    .verify(Logs.WAIT);
            awaitNothingHeld(partition);
            assertThat(partition.verify().collectList().block(Logs.WAIT)).isEmpty();
            assertThat(Logs.readAll(partition)).hasSize(2_000);
            awaitNothingHeld(partition);
        }
    }

    static void awaitNothingHeld(Partition partition) {
        long deadline = System.nanoTime() + Logs.WAIT.toNanos();
        while ((partition.bufferedBytes() > 0 || partition.readers() > 0) && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
        assertThat(partition.bufferedBytes()).isZero();
        assertThat(partition.readers()).isZero();
    }

    private void awaitReset() {
        awaitResets(1);
    }

    private void awaitResets(int count) {
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (resets.size() < count && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
    }

    private static Partition shortened(EventLog log) {
        Topic topic = log.createTopic(
                        Logs.TOPIC,
                        TopicSpec.partitions(1).retention(Retention.forever().maxBytes(2000)))
                .block(Logs.WAIT);
        Logs.appendEach(topic, 0, 200);
        log.enforceRetention().block(Logs.WAIT);
        return topic.partition(0);
    }
}
