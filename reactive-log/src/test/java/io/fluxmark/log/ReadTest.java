package io.fluxmark.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reactivestreams.Subscription;
import reactor.core.Scannable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

class ReadTest {

    @TempDir
    Path directory;

    private final FaultStorage storage = new FaultStorage();
    private final LogSpec spec = LogSpec.defaults().storage(storage);

    @Test
    void requestingTenReadsNoMoreThanTheDeclaredBuffer() {
        try (EventLog log = Logs.open(directory, spec)) {
            Topic topic = Logs.topic(log);
            for (int i = 0; i < 20; i++) {
                topic.append(records(5_000 * i, 5_000 * (i + 1))).block(Logs.WAIT);
            }
            Partition partition = topic.partition(0);
            long before = storage.bytesRead.get();
            StepVerifier.create(partition.read(0), 10)
                    .expectNextCount(10)
                    .then(() -> assertThat(storage.bytesRead.get() - before).isBetween(1L, 64L << 10))
                    .expectNoEvent(Duration.ofMillis(20))
                    .then(() -> assertThat(storage.bytesRead.get() - before).isLessThanOrEqualTo(64L << 10))
                    .thenRequest(10)
                    .expectNextCount(10)
                    .then(() -> assertThat(storage.bytesRead.get() - before).isLessThanOrEqualTo(64L << 10))
                    .thenCancel()
                    .verify(Logs.WAIT);
        }
    }

    @Test
    void everyByteIsReadOnceByASequentialReader() {
        try (EventLog log = Logs.open(directory, spec.readBufferBytes(4096))) {
            Topic topic = Logs.topic(log);
            topic.append(records(0, 50_000)).block(Logs.WAIT);
            long before = storage.bytesRead.get();
            assertThat(Logs.values(Logs.readAll(topic.partition(0)))).isEqualTo(Logs.expectedValues(0, 50_000));
            long size = Logs.segment(directory, 0).toFile().length();
            assertThat(storage.bytesRead.get() - before).isEqualTo(size);
        }
    }

    @Test
    void nothingIsOpenedOrReadWithoutDemand() {
        try (EventLog log = Logs.open(directory, spec)) {
            Topic topic = Logs.topic(log);
            Logs.appendEach(topic, 0, 3);
            long bytes = storage.bytesRead.get();
            long open = storage.open.get();
            StepVerifier.create(topic.partition(0).read(0), 0)
                    .expectSubscription()
                    .expectNoEvent(Duration.ofMillis(20))
                    .then(() -> assertThat(storage.bytesRead.get()).isEqualTo(bytes))
                    .then(() -> assertThat(storage.open.get()).isEqualTo(open))
                    .thenCancel()
                    .verify(Logs.WAIT);
        }
    }

    @Test
    void aReaderAtTheTailIsWokenByTheNextAppend() {
        try (EventLog log = Logs.open(directory, spec)) {
            Topic topic = Logs.topic(log);
            Logs.appendEach(topic, 0, 2);
            StepVerifier.create(topic.partition(0).read(0).map(LogRecord::offset))
                    .expectNext(0L, 1L)
                    .then(() -> Logs.append(topic, Logs.record(2)))
                    .expectNext(2L)
                    .then(() -> Logs.append(topic, Logs.record(3), Logs.record(4)))
                    .expectNext(3L, 4L)
                    .thenCancel()
                    .verify(Logs.WAIT);
        }
    }

    /** Appends race with a reader that keeps reaching the tail: no wake-up may get lost. */
    @Test
    void noWakeUpIsLost() {
        int count = Logs.thorough() ? 50_000 : 5_000;
        try (EventLog log = Logs.open(directory, spec.durability(Durability.OS))) {
            Topic topic = Logs.topic(log);
            Mono<List<Long>> read = topic.partition(0)
                    .read(0)
                    .map(LogRecord::offset)
                    .take(count)
                    .collectList()
                    .cache();
            read.subscribe();
            for (int i = 0; i < count; i++) {
                Logs.append(topic, Logs.record(i));
            }
            assertThat(read.block(Logs.WAIT))
                    .isEqualTo(IntStream.range(0, count).mapToObj(i -> (long) i).toList());
            System.out.println("wake-ups: " + count + " appends");
        }
    }

    /** C86: the segment begun by an append that failed half way is replaced by that of the next one. */
    @Test
    void c86AReaderAtAHalfMadeSegmentReadsWhatReplacesIt() {
        try (EventLog log = Logs.open(directory, spec.segmentBytes(1024))) {
            Topic topic = Logs.topic(log);
            int[] appended = {0};
            while (Logs.segmentBases(directory).size() < 2) {
                Logs.append(topic, Logs.record(appended[0]++));
            }
            int first = appended[0];
            StepVerifier.create(topic.partition(0).read(first).map(LogRecord::offset))
                    .expectSubscription()
                    .then(() -> {
                        storage.onWrite = (file, source, position, target) -> {
                            if (position == 0) {
                                ByteBuffer half = source.duplicate();
                                half.limit(half.position() + half.remaining() / 2);
                                target.write(half, position);
                                throw new IOException("No space left on device");
                            }
                        };
                        boolean failed = false;
                        while (!failed) {
                            try {
                                Logs.append(topic, Logs.record(appended[0]));
                                appended[0]++;
                            } catch (PartitionFailedException e) {
                                failed = true;
                            }
                        }
                        storage.onWrite = (file, source, position, target) -> {};
                        Logs.append(topic, Logs.record(appended[0]++));
                    })
                    .recordWith(ArrayList::new)
                    .thenConsumeWhile(offset -> offset < appended[0] - 1)
                    .expectNextMatches(offset -> true)
                    .thenCancel()
                    .verify(Logs.WAIT);
            assertThat(Logs.readAll(topic.partition(0))).hasSize(appended[0]);
        }
    }

    @Test
    void readersAreIndependentAndASlowOneHoldsUpNobody() {
        try (EventLog log = Logs.open(directory, spec.segmentBytes(4096))) {
            Topic topic = Logs.topic(log);
            Logs.appendEach(topic, 0, 20);
            Partition partition = topic.partition(0);
            StepVerifier.create(partition.read(5).map(LogRecord::offset), 1)
                    .expectNext(5L)
                    .then(() -> topic.append(records(20, 500)).block(Logs.WAIT))
                    .then(() -> assertThat(Logs.values(Logs.readAll(partition))).isEqualTo(Logs.expectedValues(0, 500)))
                    .thenRequest(2)
                    .expectNext(6L, 7L)
                    .thenCancel()
                    .verify(Logs.WAIT);
        }
    }

    @Test
    void cancellingClosesTheFileAndResubscribingStartsAnew() {
        try (EventLog log = Logs.open(directory, spec)) {
            Topic topic = Logs.topic(log);
            Logs.appendEach(topic, 0, 20);
            long open = storage.open.get();
            Flux<LogRecord> flux = topic.partition(0).read(3);
            for (int i = 0; i < 50; i++) {
                assertThat(Logs.values(flux.take(5).collectList().block(Logs.WAIT)))
                        .isEqualTo(Logs.expectedValues(3, 8));
            }
            // The worker closes its file on its way out of the cancelling call: this fails when it never does.
            Flux.interval(Duration.ofMillis(1))
                    .takeUntil(tick -> storage.open.get() == open)
                    .blockLast(Logs.WAIT);
        }
    }

    @Test
    void everyOffsetIsFoundOverSegments() {
        LogSpec small = spec.segmentBytes(8192).readBufferBytes(512);
        try (EventLog log = Logs.open(directory, small)) {
            Topic topic = Logs.topic(log);
            for (int i = 0; i < 2000; ) {
                int next = Math.min(2000, i + 1 + i % 37);
                topic.append(records(i, next)).block(Logs.WAIT);
                i = next;
            }
        }
        try (EventLog log = Logs.open(directory, small)) {
            Partition partition = Logs.partition(log);
            for (int from = 0; from < 2000; from += 13) {
                int to = Math.min(2000, from + 30);
                assertThat(Logs.values(partition.readTo(from, to).collectList().block(Logs.WAIT)))
                        .isEqualTo(Logs.expectedValues(from, to));
            }
        }
    }

    @Test
    void offsetsOutsideThePartitionAreErrorsWithoutDemand() {
        try (EventLog log = Logs.open(directory, spec)) {
            Topic topic = Logs.topic(log);
            Logs.appendEach(topic, 0, 3);
            Partition partition = topic.partition(0);
            for (long wrong : new long[] {-1, 4, Long.MAX_VALUE - 1}) {
                StepVerifier.create(partition.read(wrong), 0)
                        .expectErrorSatisfies(
                                e -> assertThat(e).isInstanceOfSatisfying(OffsetOutOfRangeException.class, out -> {
                                    assertThat(out.requested()).isEqualTo(wrong);
                                    assertThat(out.begin()).isZero();
                                    assertThat(out.end()).isEqualTo(3);
                                }))
                        .verify(Logs.WAIT);
            }
            StepVerifier.create(partition.readTo(3, 3), 0).expectComplete().verify(Logs.WAIT);
            assertThatThrownBy(() -> partition.readTo(3, 2)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void aRangeBeyondTheEndWaitsForWhatIsMissing() {
        try (EventLog log = Logs.open(directory, spec)) {
            Topic topic = Logs.topic(log);
            Logs.appendEach(topic, 0, 2);
            StepVerifier.create(topic.partition(0).readTo(0, 3).map(LogRecord::offset))
                    .expectNext(0L, 1L)
                    .then(() -> Logs.appendEach(topic, 2, 5))
                    .expectNext(2L)
                    .expectComplete()
                    .verify(Logs.WAIT);
        }
    }

    @Test
    void closingTheLogEndsItsReaders() {
        EventLog log = Logs.open(directory, spec);
        Topic topic = Logs.topic(log);
        Logs.appendEach(topic, 0, 2);
        StepVerifier.create(topic.partition(0).read(0), 5)
                .expectNextCount(2)
                .then(log::close)
                .expectError(LogClosedException.class)
                .verify(Logs.WAIT);
        StepVerifier.create(topic.partition(0).read(0))
                .expectError(LogClosedException.class)
                .verify(Logs.WAIT);
        StepVerifier.create(topic.partition(0).read(0), 0)
                .expectError(LogClosedException.class)
                .verify(Logs.WAIT);
    }

    @Test
    void runsHoldWhatIsThereAndNeverWaitToFill() {
        Scheduler scheduler = Schedulers.boundedElastic();
        try (EventLog log = Logs.open(directory, spec.segmentBytes(1024))) {
            Topic topic = Logs.topic(log);
            Logs.appendEach(topic, 0, 30);
            StepVerifier.create(topic.partition(0).readRuns(0, 8, scheduler).map(Logs::values), 1)
                    .expectNext(Logs.expectedValues(0, 8))
                    .thenRequest(3)
                    .expectNext(Logs.expectedValues(8, 16))
                    .expectNext(Logs.expectedValues(16, 24))
                    .expectNext(Logs.expectedValues(24, 30))
                    .thenRequest(1)
                    .then(() -> Logs.append(topic, Logs.record(30)))
                    .expectNext(Logs.expectedValues(30, 31))
                    .thenCancel()
                    .verify(Logs.WAIT);
            assertThatThrownBy(() -> topic.partition(0).readRuns(0, 0, scheduler))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void runsAreEmittedOnTheGivenScheduler() {
        Scheduler scheduler = Schedulers.newBoundedElastic(1, 100, "lane");
        try (EventLog log = Logs.open(directory, spec)) {
            Topic topic = Logs.topic(log);
            Logs.appendEach(topic, 0, 3);
            String thread = topic.partition(0)
                    .readRuns(0, 2, scheduler)
                    .map(run -> Thread.currentThread().getName())
                    .blockFirst(Logs.WAIT);
            assertThat(thread).startsWith("lane");
        } finally {
            scheduler.dispose();
        }
    }

    @Test
    void aDisposedSchedulerIsAnErrorAndLeaksNothing() {
        Scheduler scheduler = Schedulers.newBoundedElastic(1, 100, "gone");
        try (EventLog log = Logs.open(directory, spec)) {
            Topic topic = Logs.topic(log);
            Logs.appendEach(topic, 0, 3);
            long open = storage.open.get();
            StepVerifier.create(topic.partition(0).readRuns(0, 1, scheduler), 1)
                    .expectNextCount(1)
                    // Its only thread is done with the reader when it has come to this.
                    .then(() ->
                            Mono.fromRunnable(() -> {}).subscribeOn(scheduler).block(Logs.WAIT))
                    .then(scheduler::dispose)
                    .thenRequest(1)
                    .expectErrorMatches(e -> e instanceof RejectedExecutionException)
                    .verify(Logs.WAIT);
            StepVerifier.create(topic.partition(0).readRuns(0, 1, scheduler))
                    .expectErrorMatches(e -> e instanceof RejectedExecutionException)
                    .verify(Logs.WAIT);
            assertThat(storage.open.get()).isEqualTo(open);
        }
    }

    @Test
    void anInterruptDuringAReadIsSurvivedAndHandedOn() {
        try (EventLog log = Logs.open(directory, spec)) {
            Topic topic = Logs.topic(log);
            Logs.appendEach(topic, 0, 50);
            AtomicInteger interrupts = new AtomicInteger();
            storage.onRead = file -> {
                if (interrupts.incrementAndGet() <= 3) {
                    Thread.currentThread().interrupt();
                }
            };
            AtomicBoolean seen = new AtomicBoolean();
            List<LogRecord> read = topic.partition(0)
                    .readTo(0, 50)
                    .doOnNext(r -> seen.compareAndSet(false, Thread.interrupted()))
                    .collectList()
                    .block(Logs.WAIT);
            assertThat(Logs.values(read)).isEqualTo(Logs.expectedValues(0, 50));
            assertThat(interrupts.get()).isGreaterThan(3);
            assertThat(seen).as("the interrupt status is restored").isTrue();
        }
    }

    @Test
    void anErrorOfTheDiskEndsTheReaderNamingThePartition() {
        try (EventLog log = Logs.open(directory, spec)) {
            Topic topic = Logs.topic(log);
            Logs.appendEach(topic, 0, 5);
            storage.onRead = file -> {
                throw new IOException("bad sector");
            };
            StepVerifier.create(topic.partition(0).read(2))
                    .expectErrorSatisfies(e -> assertThat(e)
                            .isInstanceOf(UncheckedIOException.class)
                            .hasMessageContaining("t/0")
                            .hasMessageContaining("offset 2")
                            .hasMessageContaining("bad sector"))
                    .verify(Logs.WAIT);
        }
    }

    @Test
    void whoeverEndsIsForgotten() {
        try (EventLog log = Logs.open(directory, spec)) {
            Topic topic = Logs.topic(log);
            Logs.appendEach(topic, 0, 3);
            Partition partition = topic.partition(0);
            partition.read(0).subscribe(new BaseSubscriber<>() {
                @Override
                protected void hookOnSubscribe(Subscription subscription) {
                    cancel();
                }
            });
            assertThat(partition.readers()).isZero();
            StepVerifier.create(partition.read(0), 0)
                    .expectSubscription()
                    .then(() -> assertThat(partition.readers()).isEqualTo(1))
                    .thenCancel()
                    .verify(Logs.WAIT);
            StepVerifier.create(partition.read(9)).expectError().verify(Logs.WAIT);
            StepVerifier.create(partition.readTo(0, 3))
                    .expectNextCount(3)
                    .expectComplete()
                    .verify(Logs.WAIT);
            Flux.interval(Duration.ofMillis(5))
                    .filter(tick -> partition.readers() == 0)
                    .blockFirst(Logs.WAIT);
        }
    }

    /** Requests, the tail and cancellation race; whatever happens, the file is closed in the end. */
    @Test
    void cancellingInTheMiddleOfAnythingLeaksNoFile() throws Exception {
        int rounds = Logs.thorough() ? 3_000 : 300;
        try (EventLog log = Logs.open(directory, spec.durability(Durability.OS))) {
            Topic topic = Logs.topic(log);
            topic.append(records(0, 1000)).block(Logs.WAIT);
            long open = storage.open.get();
            AtomicInteger wrong = new AtomicInteger();
            for (int i = 0; i < rounds; i++) {
                CountDownLatch some = new CountDownLatch(i % 50);
                BaseSubscriber<LogRecord> subscriber = new BaseSubscriber<>() {
                    private final AtomicInteger inside = new AtomicInteger();
                    private long expected = 900;

                    @Override
                    protected void hookOnSubscribe(Subscription subscription) {
                        request(1);
                    }

                    @Override
                    protected void hookOnNext(LogRecord value) {
                        if (inside.incrementAndGet() != 1 || value.offset() != expected++) {
                            wrong.incrementAndGet();
                        }
                        request(1);
                        inside.decrementAndGet();
                        some.countDown();
                    }
                };
                topic.partition(0).read(900).subscribe(subscriber);
                Mono<List<AppendResult>> append =
                        topic.append(List.of(Logs.record(i))).cache();
                append.subscribe();
                assertThat(some.await(30, TimeUnit.SECONDS)).isTrue();
                subscriber.cancel();
                append.block(Logs.WAIT);
            }
            assertThat(wrong).as("overlapping signals, or offsets out of order").hasValue(0);
            // A drain that was running when it was cancelled closes its file a little later.
            Flux.interval(Duration.ofMillis(5))
                    .filter(tick -> storage.open.get() == open)
                    .blockFirst(Logs.WAIT);
            System.out.println("cancellations: " + rounds + " rounds");
        }
    }

    @Test
    void theOperatorTellsAboutItself() {
        try (EventLog log = Logs.open(directory, spec)) {
            Topic topic = Logs.topic(log);
            Logs.appendEach(topic, 0, 3);
            AtomicReference<Scannable> scanned = new AtomicReference<>();
            BaseSubscriber<LogRecord> subscriber = new BaseSubscriber<>() {
                @Override
                protected void hookOnSubscribe(Subscription subscription) {
                    scanned.set(Scannable.from(subscription));
                }
            };
            Flux<LogRecord> flux = topic.partition(0).read(0);
            assertThat(Scannable.from(flux).scan(Scannable.Attr.RUN_STYLE)).isEqualTo(Scannable.Attr.RunStyle.ASYNC);
            flux.subscribe(subscriber);
            Scannable read = scanned.get();
            assertThat(read.isScanAvailable()).isTrue();
            assertThat(read.scanUnsafe(Scannable.Attr.ACTUAL)).isSameAs(subscriber);
            assertThat(read.scan(Scannable.Attr.CANCELLED)).isFalse();
            assertThat(read.scan(Scannable.Attr.TERMINATED)).isFalse();
            assertThat(read.scan(Scannable.Attr.REQUESTED_FROM_DOWNSTREAM)).isZero();
            assertThat(read.scan(Scannable.Attr.RUN_STYLE)).isEqualTo(Scannable.Attr.RunStyle.ASYNC);
            subscriber.cancel();
            assertThat(read.scan(Scannable.Attr.CANCELLED)).isTrue();
        }
    }

    private static List<AppendRecord> records(int from, int to) {
        return IntStream.range(from, to).mapToObj(Logs::record).toList();
    }
}
