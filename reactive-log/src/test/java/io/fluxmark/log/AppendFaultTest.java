package io.fluxmark.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.util.retry.Retry;

class AppendFaultTest {

    @TempDir
    Path directory;

    private final FaultStorage storage = new FaultStorage();
    private final LogSpec spec = LogSpec.defaults().storage(storage);

    @Test
    void anAppendIsAnsweredAndVisibleOnlyAfterItsFsync() throws Exception {
        try (EventLog log = Logs.open(directory, spec)) {
            Topic topic = Logs.topic(log);
            CountDownLatch forcing = new CountDownLatch(1);
            CountDownLatch go = new CountDownLatch(1);
            storage.onForce = file -> {
                forcing.countDown();
                await(go);
            };
            Mono<List<AppendResult>> append =
                    topic.append(List.of(Logs.record(0))).cache();
            AtomicInteger answers = new AtomicInteger();
            append.subscribe(results -> answers.incrementAndGet());
            await(forcing);
            assertThat(answers).hasValue(0);
            assertThat(topic.partition(0).endOffset()).isZero();
            go.countDown();
            assertThat(append.block(Logs.WAIT)).hasSize(1);
            assertThat(topic.partition(0).endOffset()).isEqualTo(1);
        }
    }

    @Test
    void appendsThatWaitShareOneFsync() throws Exception {
        try (EventLog log = Logs.open(directory, spec)) {
            Topic topic = Logs.topic(log);
            CountDownLatch forcing = new CountDownLatch(1);
            CountDownLatch go = new CountDownLatch(1);
            storage.onForce = file -> {
                forcing.countDown();
                await(go);
            };
            List<Mono<List<AppendResult>>> appends = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                Mono<List<AppendResult>> append =
                        topic.append(List.of(Logs.record(i))).cache();
                append.subscribe();
                appends.add(append);
                if (i == 0) {
                    await(forcing);
                }
            }
            long before = storage.forces.get();
            go.countDown();
            Mono.when(appends).block(Logs.WAIT);
            assertThat(storage.forces.get() - before).isEqualTo(2);
            assertThat(Logs.values(Logs.readAll(topic.partition(0)))).isEqualTo(Logs.expectedValues(0, 100));
        }
    }

    @Test
    void aFullQueueStoresNothingOfTheRequest() throws Exception {
        LogSpec small = spec.queueRecords(10);
        try (EventLog log = Logs.open(directory, small)) {
            Topic topic = log.createTopic(Logs.TOPIC, 2).block(Logs.WAIT);
            CountDownLatch forcing = new CountDownLatch(1);
            CountDownLatch go = new CountDownLatch(1);
            storage.onForce = file -> {
                forcing.countDown();
                await(go);
            };
            Mono<List<AppendResult>> first = topic.append(records(0, 4)).cache();
            first.subscribe();
            await(forcing);
            Mono<List<AppendResult>> second = topic.append(records(4, 8)).cache();
            second.subscribe();
            List<AppendRecord> tooMany = List.of(AppendRecord.to(1, new byte[1]), Logs.record(8), Logs.record(9));
            assertThatThrownBy(() -> topic.append(tooMany).block(Logs.WAIT))
                    .isInstanceOfSatisfying(LogOverloadedException.class, e -> assertThat(e.retryAfter())
                            .isBetween(Duration.ofMillis(1), Duration.ofSeconds(5)))
                    .hasMessageContaining("3 records")
                    .hasMessageContaining("10 records");
            go.countDown();
            first.block(Logs.WAIT);
            second.block(Logs.WAIT);
            assertThat(topic.partition(0).endOffset()).isEqualTo(8);
            assertThat(topic.partition(1).endOffset()).isZero();
            // The room is there again.
            retrying(topic.append(tooMany)).block(Logs.WAIT);
            assertThat(topic.partition(0).endOffset()).isEqualTo(10);
            assertThatThrownBy(() -> topic.append(records(0, 11)).block(Logs.WAIT))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("never fits");
        }
    }

    @Test
    void bytesBoundTheQueueToo() {
        try (EventLog log = Logs.open(directory, spec.queueBytes(2000))) {
            Topic topic = Logs.topic(log);
            assertThatThrownBy(() -> Logs.append(topic, AppendRecord.to(0, new byte[2001])))
                    .isInstanceOf(IllegalArgumentException.class);
            for (int i = 0; i < 50; i++) {
                retrying(topic.append(List.of(AppendRecord.to(0, new byte[1500]))))
                        .block(Logs.WAIT);
            }
            assertThat(topic.partition(0).endOffset()).isEqualTo(50);
        }
    }

    /** As many appenders as the queue has room for, each of which appends again as soon as it is answered. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whoeverIsAnsweredFindsRoomForTheNext(boolean syncs) {
        int appenders = 8;
        int rounds = Logs.thorough() ? 20_000 : 1_000;
        LogSpec spec = LogSpec.defaults()
                .storage(FaultStorage.fast())
                .durability(syncs ? Durability.SYNC : Durability.OS)
                .queueRecords(appenders);
        try (EventLog log = Logs.open(directory, spec)) {
            Topic topic = Logs.topic(log);
            Flux.range(0, appenders)
                    .flatMap(i -> topic.append(Logs.record(i)).repeat(rounds - 1), appenders)
                    .blockLast(Logs.WAIT);
            assertThat(topic.partition(0).endOffset()).isEqualTo((long) appenders * rounds);
        }
    }

    @Test
    void aFailedFsyncIsNeverAcknowledgedAndDoesNotComeBack() {
        try (EventLog log = Logs.open(directory, spec)) {
            Topic topic = Logs.topic(log);
            Logs.appendEach(topic, 0, 3);
            storage.onForce = file -> {
                throw new IOException("disk gone");
            };
            assertThatThrownBy(() -> Logs.append(topic, Logs.record(3)))
                    .isInstanceOf(PartitionFailedException.class)
                    .hasMessageContaining("t/0")
                    .hasMessageContaining("disk gone");
            storage.onForce = file -> {};
            assertThatThrownBy(() -> Logs.append(topic, Logs.record(4))).isInstanceOf(PartitionFailedException.class);
            assertThat(topic.partition(0).endOffset()).isEqualTo(3);
            assertThat(Logs.values(Logs.readAll(topic.partition(0)))).isEqualTo(Logs.expectedValues(0, 3));
        }
        try (EventLog log = Logs.open(directory)) {
            Topic topic = Logs.topic(log);
            assertThat(topic.partition(0).endOffset()).isEqualTo(3);
            Logs.appendEach(topic, 3, 5);
            assertThat(Logs.values(Logs.readAll(topic.partition(0)))).isEqualTo(Logs.expectedValues(0, 5));
        }
    }

    /** The disk fills up in the middle of a write, at every byte of it; space comes back later. */
    @Test
    void aPartialWriteIsCutOffAndAppendingGoesOn() throws Exception {
        int cases = 0;
        for (int part = 0; part < 120; part += 7) {
            Path each = directory.resolve("p" + part);
            int written = part;
            try (EventLog log = Logs.open(each, spec)) {
                Topic topic = Logs.topic(log);
                Logs.appendEach(topic, 0, 3);
                long good = Files.size(Logs.segment(each, 0));
                storage.onWrite = (file, source, position, target) -> {
                    int limit = source.limit();
                    source.limit(Math.min(limit, source.position() + written));
                    target.write(source, position);
                    throw new IOException("No space left on device");
                };
                assertThatThrownBy(() -> topic.append(records(3, 6)).block(Logs.WAIT))
                        .isInstanceOf(PartitionFailedException.class)
                        .hasMessageContaining("No space left");
                assertThat(Files.size(Logs.segment(each, 0))).isEqualTo(good);
                assertThat(topic.partition(0).endOffset()).isEqualTo(3);
                storage.onWrite = (file, source, position, target) -> {};
                Logs.appendEach(topic, 3, 6);
                assertThat(Logs.values(Logs.readAll(topic.partition(0)))).isEqualTo(Logs.expectedValues(0, 6));
            }
            assertReopens(each, 6);
            cases++;
        }
        System.out.println("partial writes: " + cases + " cases");
    }

    @Test
    void aFailedWriteLeavesNothingInTheIndex() {
        try (EventLog log = Logs.open(directory, spec.readBufferBytes(512))) {
            Topic topic = Logs.topic(log);
            storage.onWrite = (file, source, position, target) -> {
                throw new IOException("No space left on device");
            };
            assertThatThrownBy(() -> topic.append(records(0, 2000)).block(Logs.WAIT))
                    .isInstanceOf(PartitionFailedException.class);
            storage.onWrite = (file, source, position, target) -> {};
            // Other batches now lie where those that failed would have been.
            for (int i = 0; i < 1000; i += 10) {
                topic.append(records(i, i + 10)).block(Logs.WAIT);
            }
            for (int from = 0; from < 1000; from += 7) {
                assertThat(Logs.values(topic.partition(0)
                                .readTo(from, from + 1)
                                .collectList()
                                .block(Logs.WAIT)))
                        .isEqualTo(Logs.expectedValues(from, from + 1));
            }
        }
    }

    @Test
    void aPartitionThatCannotBeCutStaysFailedUntilItCan() throws Exception {
        try (EventLog log = Logs.open(directory, spec)) {
            Topic topic = Logs.topic(log);
            Logs.appendEach(topic, 0, 3);
            storage.onWrite = (file, source, position, target) -> {
                source.limit(source.position() + 20);
                target.write(source, position);
                throw new IOException("No space left on device");
            };
            storage.onTruncate = file -> {
                throw new IOException("not now");
            };
            assertThatThrownBy(() -> Logs.append(topic, Logs.record(3))).isInstanceOf(PartitionFailedException.class);
            storage.onWrite = (file, source, position, target) -> {};
            assertThatThrownBy(() -> Logs.append(topic, Logs.record(3)))
                    .isInstanceOf(PartitionFailedException.class)
                    .hasMessageContaining("not now");
            storage.onTruncate = file -> {};
            Logs.appendEach(topic, 3, 5);
            assertThat(Logs.values(Logs.readAll(topic.partition(0)))).isEqualTo(Logs.expectedValues(0, 5));
        }
        assertReopens(directory, 5);
    }

    /** C79: a disk that was full leaves no journal that is dead. */
    @Test
    void aDiskThatStaysFullLeavesALogThatReopensWithEveryAcknowledgedRecord() {
        EventLog log = Logs.open(directory, spec.segmentBytes(1024));
        Topic topic = Logs.topic(log);
        AtomicInteger room = new AtomicInteger(5000);
        storage.onWrite = (file, source, position, target) -> {
            int length = source.remaining();
            int left = room.getAndAdd(-length);
            if (left < length) {
                source.limit(source.position() + Math.max(0, left));
                target.write(source, position);
                throw new IOException("No space left on device");
            }
        };
        storage.onTruncate = file -> {
            if (room.get() < 0) {
                throw new IOException("No space left on device");
            }
        };
        int acknowledged = 0;
        while (room.get() > 0) {
            try {
                Logs.append(topic, Logs.record(acknowledged));
                acknowledged++;
            } catch (PartitionFailedException e) {
                assertThat(e).hasMessageContaining("No space left");
            }
        }
        assertThat(acknowledged).isGreaterThan(20);
        log.close();
        assertReopens(directory, acknowledged);
    }

    @Test
    void aSegmentThatCannotBeCreatedFailsTheAppendAndIsTriedAgain() {
        try (EventLog log = Logs.open(directory, spec.segmentBytes(1024))) {
            Topic topic = Logs.topic(log);
            Logs.appendEach(topic, 0, 5);
            // The one in the middle meets the snapshot of the producers, which the append does not depend on.
            AtomicInteger failures = new AtomicInteger(3);
            storage.onForceDirectory = path -> {
                if (failures.getAndDecrement() > 0) {
                    throw new IOException("directory not forced");
                }
            };
            int next = 5;
            int failed = 0;
            while (next < 30) {
                try {
                    Logs.append(topic, Logs.record(next));
                    next++;
                } catch (PartitionFailedException e) {
                    failed++;
                }
            }
            assertThat(failed).isEqualTo(2);
            assertThat(Logs.values(Logs.readAll(topic.partition(0)))).isEqualTo(Logs.expectedValues(0, 30));
        }
        assertReopens(directory, 30);
    }

    @Test
    void oneFailingPartitionDoesNotStopTheOthers() {
        try (EventLog log = Logs.open(directory, spec)) {
            Topic topic = log.createTopic(Logs.TOPIC, 2).block(Logs.WAIT);
            storage.onForce = file -> {
                if (String.valueOf(file.getParent().getFileName()).endsWith("-1")) {
                    throw new IOException("disk gone");
                }
            };
            StepVerifier.create(topic.append(List.of(Logs.record(0), AppendRecord.to(1, new byte[3]))))
                    .expectError(PartitionFailedException.class)
                    .verify(Logs.WAIT);
            Logs.append(topic, Logs.record(1));
            assertThat(Logs.values(Logs.readAll(topic.partition(0)))).isEqualTo(Logs.expectedValues(0, 2));
            assertThat(topic.partition(1).endOffset()).isZero();
        }
    }

    @Test
    void recordsThatAreTooLargeOrMisplacedStoreNothing() {
        try (EventLog log = Logs.open(directory, spec.maxRecordBytes(1000))) {
            Topic topic = Logs.topic(log);
            assertThatThrownBy(() -> Logs.append(topic, Logs.record(0), AppendRecord.to(0, new byte[1000])))
                    .isInstanceOf(RecordTooLargeException.class)
                    .hasMessageContaining("1000");
            assertThatThrownBy(() -> Logs.append(topic, Logs.record(0), AppendRecord.to(1, new byte[1])))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("no partition 1");
            assertThat(topic.append(List.of()).block(Logs.WAIT)).isEmpty();
            assertThat(topic.partition(0).endOffset()).isZero();
        }
    }

    @Test
    void closingWritesWhatIsQueuedFirst() throws Exception {
        EventLog log = Logs.open(directory, spec);
        Topic topic = Logs.topic(log);
        CountDownLatch forcing = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        storage.onForce = file -> {
            forcing.countDown();
            await(go);
        };
        List<Mono<List<AppendResult>>> appends = IntStream.range(0, 50)
                .mapToObj(i -> topic.append(List.of(Logs.record(i))).cache())
                .toList();
        appends.forEach(Mono::subscribe);
        await(forcing);
        go.countDown();
        log.close();
        Mono.when(appends).block(Logs.WAIT);
        assertThatThrownBy(() -> Logs.append(topic, Logs.record(50))).isInstanceOf(LogClosedException.class);
        assertReopens(directory, 50);
        assertThat(storage.open).hasValue(0);
    }

    private static Mono<List<AppendResult>> retrying(Mono<List<AppendResult>> append) {
        return append.retryWhen(
                Retry.backoff(20, Duration.ofMillis(2)).filter(LogOverloadedException.class::isInstance));
    }

    private static List<AppendRecord> records(int from, int to) {
        return IntStream.range(from, to).mapToObj(Logs::record).toList();
    }

    private static void assertReopens(Path path, int count) {
        try (EventLog log = Logs.open(path)) {
            Partition partition = Logs.partition(log);
            assertThat(partition.damage()).isEmpty();
            assertThat(Logs.values(Logs.readAll(partition))).isEqualTo(Logs.expectedValues(0, count));
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
