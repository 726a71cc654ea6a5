package io.fluxmark.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;
import reactor.test.subscriber.TestSubscriber;

/** Streams of records, and appends that wait for room. */
class AppendStreamTest {

    @TempDir
    Path directory;

    private final FaultStorage storage = FaultStorage.fast();
    private final LogSpec spec = LogSpec.defaults().storage(storage);

    private volatile CountDownLatch held = new CountDownLatch(0);

    /** Holds the writer at its next fsync, until the latch is counted down. */
    private CountDownLatch hold() {
        CountDownLatch go = new CountDownLatch(1);
        held = new CountDownLatch(1);
        storage.onForce = file -> {
            held.countDown();
            await(go);
        };
        return go;
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(Logs.WAIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Flux<AppendRecord> records(int from, int to) {
        return Flux.range(from, to - from).map(Logs::record);
    }

    private static List<Long> offsets(List<AppendResult> results) {
        return results.stream().map(AppendResult::offset).toList();
    }

    private static List<Long> dense(int count) {
        return LongStream.range(0, count).boxed().toList();
    }

    @Test
    void everyRecordIsStoredInOrderAndHasItsResult() {
        for (Durability durability :
                List.of(Durability.SYNC, Durability.OS, Durability.interval(Duration.ofMillis(1)))) {
            Path path = directory.resolve(durability.toString().replace(' ', '-'));
            try (EventLog log = Logs.open(path, spec.durability(durability))) {
                Topic topic = Logs.topic(log);
                List<AppendResult> results =
                        topic.append(records(0, 20_000)).collectList().block(Logs.WAIT);
                assertThat(offsets(results)).isEqualTo(dense(20_000));
                assertThat(Logs.values(Logs.readAll(topic.partition(0)))).isEqualTo(Logs.expectedValues(0, 20_000));
            }
        }
    }

    @Test
    void anEmptyStreamStoresNothing() {
        try (EventLog log = Logs.open(directory, spec)) {
            StepVerifier.create(Logs.topic(log).append(Flux.empty())).verifyComplete();
            assertThat(Logs.partition(log).endOffset()).isZero();
        }
    }

    @Test
    void recordsThatComeWhileOthersAreWrittenShareOneRequest() {
        try (EventLog log = Logs.open(directory, spec)) {
            Topic topic = Logs.topic(log);
            long before = storage.forces.get();
            topic.append(records(0, 10_000)).blockLast(Logs.WAIT);
            assertThat(storage.forces.get() - before).isLessThan(2_000);
        }
    }

    @Test
    void aSlowLogSlowsThePublisher() {
        try (EventLog log = Logs.open(directory, spec.queueBytes(64 << 10))) {
            Topic topic = Logs.topic(log);
            CountDownLatch go = hold();
            AtomicLong sent = new AtomicLong();
            TestSubscriber<AppendResult> subscriber = TestSubscriber.create();
            topic.append(Flux.range(0, 10_000)
                            .doOnNext(i -> sent.incrementAndGet())
                            .map(i -> AppendRecord.to(0, new byte[1_000])))
                    .subscribe(subscriber);
            assertThat(sent.get()).isBetween(16L, 100L);
            assertThat(subscriber.getReceivedOnNext()).isEmpty();
            go.countDown();
            subscriber.block(Logs.WAIT);
            assertThat(offsets(subscriber.getReceivedOnNext())).isEqualTo(dense(10_000));
        }
    }

    @Test
    void resultsThatNobodyAsksForHoldThePublisherBack() {
        try (EventLog log = Logs.open(directory, spec)) {
            Topic topic = Logs.topic(log);
            AtomicLong sent = new AtomicLong();
            TestSubscriber<AppendResult> subscriber =
                    TestSubscriber.builder().initialRequest(0).build();
            topic.append(records(0, 20_000).doOnNext(r -> sent.incrementAndGet()))
                    .subscribe(subscriber);
            Mono.delay(Duration.ZERO).block(Logs.WAIT);
            assertThat(sent.get()).isLessThanOrEqualTo(AppendSubscriber.MOST_RECORDS);
            for (int i = 0; i < 100; i++) {
                subscriber.request(200);
                subscriber.getReceivedOnNext();
            }
            subscriber.block(Logs.WAIT);
            assertThat(offsets(subscriber.getReceivedOnNext())).isEqualTo(dense(20_000));
        }
    }

    @Test
    void manyStreamsShareAQueueThatIsTooSmallForThem() {
        try (EventLog log = Logs.open(directory, spec.queueBytes(2_000).queueRecords(7))) {
            Topic topic = Logs.topic(log);
            List<List<AppendResult>> all = Flux.range(0, 20)
                    .flatMap(
                            stream -> topic.append(records(stream * 100, stream * 100 + 100))
                                    .collectList(),
                            20)
                    .collectList()
                    .block(Logs.WAIT);
            List<Long> offsets = new ArrayList<>();
            all.forEach(results -> {
                assertThat(offsets(results)).isSorted();
                offsets.addAll(offsets(results));
            });
            Collections.sort(offsets);
            assertThat(offsets).isEqualTo(dense(2_000));
            assertThat(Logs.values(Logs.readAll(topic.partition(0))))
                    .containsExactlyInAnyOrderElementsOf(Logs.expectedValues(0, 2_000));
        }
    }

    @Test
    void recordsOfAnySizeGoThroughASmallQueue() {
        Random random = new Random(31);
        try (EventLog log = Logs.open(directory, spec.queueBytes(2_000))) {
            Topic topic = Logs.topic(log);
            List<AppendResult> results = topic.append(
                            Flux.range(0, 2_000).map(i -> AppendRecord.to(0, new byte[random.nextInt(1_900)])))
                    .collectList()
                    .block(Logs.WAIT);
            assertThat(offsets(results)).isEqualTo(dense(2_000));
        }
    }

    @Test
    void aRecordThatCannotBeAppendedEndsTheStreamBehindThoseBeforeIt() {
        try (EventLog log = Logs.open(directory, spec.maxRecordBytes(100))) {
            Topic topic = Logs.topic(log);
            Flux<AppendRecord> tooLarge =
                    Flux.concat(records(0, 500), Flux.just(AppendRecord.to(0, new byte[100])), records(501, 10_000));
            StepVerifier.create(topic.append(tooLarge))
                    .expectNextCount(500)
                    .expectErrorSatisfies(error -> assertThat(error)
                            .isInstanceOf(RecordTooLargeException.class)
                            .hasMessageContaining("500"))
                    .verify(Logs.WAIT);
            StepVerifier.create(topic.append(
                            Flux.concat(records(500, 510), Flux.just(AppendRecord.to(7, new byte[1])), records(0, 10))))
                    .expectNextCount(10)
                    .expectErrorMessage("topic 't' has no partition 7; it has 0 to 0")
                    .verify(Logs.WAIT);
            assertThat(Logs.values(Logs.readAll(topic.partition(0)))).isEqualTo(Logs.expectedValues(0, 510));
        }
    }

    @Test
    void anErrorOfThePublisherComesBehindTheResultsOfWhatItBrought() {
        try (EventLog log = Logs.open(directory, spec)) {
            Topic topic = Logs.topic(log);
            StepVerifier.create(topic.append(records(0, 700).concatWith(Mono.error(new IllegalStateException("gone")))))
                    .expectNextCount(700)
                    .expectErrorMessage("gone")
                    .verify(Logs.WAIT);
            assertThat(topic.partition(0).endOffset()).isEqualTo(700);
        }
    }

    @Test
    void closingTheLogEndsTheStreamAndWhatHasAResultIsStored() {
        EventLog log = Logs.open(directory, spec);
        Topic topic = Logs.topic(log);
        TestSubscriber<AppendResult> subscriber = TestSubscriber.create();
        topic.append(Flux.range(0, Integer.MAX_VALUE).map(Logs::record))
                .doOnNext(result -> {
                    if (result.offset() == 3_000) {
                        new Thread(log::close).start();
                    }
                })
                .subscribe(subscriber);
        subscriber.block(Logs.WAIT);
        assertThat(subscriber.expectTerminalError()).isInstanceOf(LogClosedException.class);
        int results = subscriber.getReceivedOnNext().size();
        log.close();
        try (EventLog again = Logs.open(directory, spec)) {
            assertThat(Logs.partition(again).endOffset()).isGreaterThanOrEqualTo(results);
        }
    }

    @Test
    void aFailedWriteEndsTheStreamWithItsCause() {
        try (EventLog log = Logs.open(directory, spec)) {
            Topic topic = Logs.topic(log);
            storage.onForce = file -> {
                throw new java.io.IOException("no more");
            };
            StepVerifier.create(topic.append(records(0, 100)))
                    .expectError(PartitionFailedException.class)
                    .verify(Logs.WAIT);
            storage.onForce = file -> {};
        }
    }

    @Test
    void cancelledStreamsLeaveAPrefixAndTheLogAlive() {
        int rounds = Logs.thorough() ? 1_000 : 100;
        Random random = new Random(4711);
        try (EventLog log = Logs.open(directory, spec.queueBytes(8_000))) {
            Topic topic = Logs.topic(log);
            for (int round = 0; round < rounds; round++) {
                long begin = topic.partition(0).endOffset();
                Disposable stream =
                        topic.append(Flux.range(0, 1_000_000).map(Logs::record)).subscribe();
                for (int spins = random.nextInt(2_000); spins > 0; spins--) {
                    Thread.onSpinWait();
                }
                stream.dispose();
                // What is behind it in the queue is answered after it.
                AppendResult next =
                        topic.append(Logs.record(0)).retry(1_000_000).block(Logs.WAIT);
                List<String> values = Logs.values(topic.partition(0)
                        .readTo(begin, next.offset())
                        .collectList()
                        .block(Logs.WAIT));
                assertThat(values).isEqualTo(Logs.expectedValues(0, values.size()));
            }
        }
        System.out.printf("cancelled streams: %d rounds, seed 4711%n", rounds);
    }

    @Test
    void anAppendWaitsForRoomAsLongAsItIsToldTo() {
        VirtualTimeScheduler clock = VirtualTimeScheduler.create();
        LogSpec patient =
                spec.queueRecords(2).appendWait(Duration.ofSeconds(10)).clock(clock);
        try (EventLog log = Logs.open(directory, patient)) {
            Topic topic = Logs.topic(log);
            CountDownLatch go = hold();
            List<Mono<AppendResult>> appends = IntStream.range(0, 4)
                    .mapToObj(i -> topic.append(Logs.record(i)).cache())
                    .toList();
            appends.forEach(Mono::subscribe);
            Mono<AppendResult> impatient = topic.append(Logs.record(9)).cache();
            impatient.subscribe(result -> {}, error -> {});
            clock.advanceTimeBy(Duration.ofSeconds(9));
            go.countDown();
            assertThat(Flux.concat(appends).count().block(Logs.WAIT)).isEqualTo(4);
            assertThat(impatient.block(Logs.WAIT)).isNotNull();

            CountDownLatch again = hold();
            topic.append(List.of(Logs.record(5), Logs.record(6))).subscribe();
            await(held);
            TestSubscriber<AppendResult> refused = TestSubscriber.create();
            topic.append(Logs.record(7)).subscribe(refused);
            clock.advanceTimeBy(Duration.ofSeconds(10));
            assertThat(refused.expectTerminalError())
                    .isInstanceOfSatisfying(LogOverloadedException.class, e -> assertThat(e.retryAfter())
                            .isPositive());
            again.countDown();
            AppendResult last = topic.append(Logs.record(8)).block(Logs.WAIT);
            assertThat(last.offset())
                    .as("nothing of what was refused is stored")
                    .isEqualTo(7);
        }
    }
}
