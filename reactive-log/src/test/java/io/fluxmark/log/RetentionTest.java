package io.fluxmark.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reactivestreams.Subscription;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.test.scheduler.VirtualTimeScheduler;
import reactor.util.retry.Retry;

class RetentionTest {

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

    @Test
    void segmentsGoWhenTheirNewestRecordIsTooOldAndTheNextOffsetStays() {
        try (EventLog log = Logs.open(directory, spec)) {
            Topic topic = topic(log, Retention.forever().maxAge(Duration.ofHours(1)));
            Partition partition = topic.partition(0);
            fill(topic, 0, 30, Duration.ofMinutes(1));
            List<Long> bases = Logs.segmentBases(directory);
            assertThat(partition.beginOffset()).isZero();
            // Record i is appended at minute i: the first segment's last one is 60 minutes old at minute base + 59.
            clock.advanceTimeBy(Duration.ofMinutes(bases.get(1) + 59 - 31));
            assertThat(partition.beginOffset()).isZero();
            clock.advanceTimeBy(Duration.ofMinutes(1));
            assertThat(partition.beginOffset()).isEqualTo(bases.get(1));
            assertThat(Logs.segmentBases(directory)).isEqualTo(bases.subList(1, bases.size()));
            assertThat(Logs.values(Logs.readAll(partition)))
                    .isEqualTo(Logs.expectedValues(bases.get(1).intValue(), 30));
            clock.advanceTimeBy(Duration.ofDays(1));
            assertThat(partition.beginOffset()).isEqualTo(30);
            assertThat(partition.endOffset()).isEqualTo(30);
            assertThat(Logs.segmentBases(directory)).containsExactly(30L);
        }
        try (EventLog log = Logs.open(directory, spec)) {
            Topic topic = log.topic(Logs.TOPIC);
            assertThat(topic.partition(0).beginOffset()).isEqualTo(30);
            assertThat(topic.retention()).isEqualTo(Retention.forever().maxAge(Duration.ofHours(1)));
            assertThat(Logs.append(topic, Logs.record(30))).containsExactly(new AppendResult(0, 30, false));
        }
    }

    @Test
    void theAgeOfSegmentsIsKnownAfterReopening() {
        try (EventLog log = Logs.open(directory, spec)) {
            fill(topic(log, Retention.forever().maxAge(Duration.ofHours(1))), 0, 30, Duration.ofMinutes(1));
        }
        List<Long> bases = Logs.segmentBases(directory);
        clock.advanceTimeBy(Duration.ofMinutes(bases.get(1) + 60 - 30));
        try (EventLog log = Logs.open(directory, spec)) {
            log.enforceRetention().block(Logs.WAIT);
            assertThat(log.topic(Logs.TOPIC).partition(0).beginOffset()).isEqualTo(bases.get(1));
        }
    }

    /** C88: one batch says that it was appended in 2099. */
    @Test
    void aClockThatWasWrongOnceDoesNotKeepEverythingForEver() {
        MovableClock movable = new MovableClock();
        long day = Duration.ofDays(1).toMillis();
        movable.millis = 20_000 * day;
        try (EventLog log = Logs.open(directory, spec.clock(movable))) {
            Topic topic = topic(log, Retention.forever().maxAge(Duration.ofDays(7)));
            Logs.appendEach(topic, 0, 5);
            movable.millis = 47_000 * day;
            Logs.appendEach(topic, 5, 6);
            movable.millis = 20_000 * day;
            Logs.appendEach(topic, 6, 40);
            List<Long> bases = Logs.segmentBases(directory);
            movable.millis = 20_007 * day - 1;
            assertThat(log.enforceRetention().block(Logs.WAIT)).isZero();
            movable.millis = 20_007 * day;
            assertThat(log.enforceRetention().block(Logs.WAIT)).isEqualTo(40);
            assertThat(bases.size()).isGreaterThan(3);
        }
    }

    @Test
    void theOldestSegmentsGoWhileTheOthersHaveEnoughBytes() {
        try (EventLog log = Logs.open(directory, spec)) {
            Topic topic = topic(log, Retention.forever().maxBytes(3000));
            fill(topic, 0, 200, Duration.ZERO);
            long deleted = log.enforceRetention().block(Logs.WAIT);
            Partition partition = topic.partition(0);
            assertThat(deleted).isEqualTo(partition.beginOffset()).isPositive();
            List<Long> bases = Logs.segmentBases(directory);
            long bytes = bases.stream()
                    .mapToLong(base -> Logs.segment(directory, base).toFile().length())
                    .sum();
            long oldest = Logs.segment(directory, bases.get(0)).toFile().length();
            assertThat(bytes).isGreaterThanOrEqualTo(3000);
            assertThat(bytes - oldest).isLessThan(3000);
            assertThat(Logs.values(Logs.readAll(partition)))
                    .isEqualTo(Logs.expectedValues((int) partition.beginOffset(), 200));
            assertThatThrownBy(() -> partition.readTo(5, 200).blockLast(Logs.WAIT))
                    .isInstanceOfSatisfying(OffsetOutOfRangeException.class, e -> {
                        assertThat(e.lost()).isEqualTo(partition.beginOffset() - 5);
                        assertThat(e.begin()).isEqualTo(partition.beginOffset());
                    });
        }
    }

    @Test
    void nothingAtOrAboveAFloorGoesUnlessForced() {
        try (EventLog log = Logs.open(directory, spec)) {
            Topic topic = topic(log, Retention.forever().maxAge(Duration.ofMinutes(1)));
            Partition partition = topic.partition(0);
            fill(topic, 0, 100, Duration.ZERO);
            List<Long> bases = Logs.segmentBases(directory);
            long[] needed = {bases.get(2) + 1};
            Disposable floor = log.register((name, id) -> {
                assertThat(name).isEqualTo(Logs.TOPIC);
                return needed[0];
            });
            Disposable other = log.register((name, id) -> RetentionFloor.NOTHING);
            clock.advanceTimeBy(Duration.ofDays(1));
            assertThat(partition.beginOffset()).isEqualTo(bases.get(2));
            Disposable failing = log.register((name, id) -> {
                throw new IllegalStateException("not now");
            });
            needed[0] = bases.get(4);
            clock.advanceTimeBy(Duration.ofDays(1));
            assertThat(partition.beginOffset()).isEqualTo(bases.get(2));
            failing.dispose();
            clock.advanceTimeBy(Duration.ofMinutes(1));
            assertThat(partition.beginOffset()).isEqualTo(bases.get(4));
            assertThat(log.forceRetention(Logs.TOPIC).block(Logs.WAIT)).isEqualTo(100 - bases.get(4));
            assertThat(partition.beginOffset()).isEqualTo(100);
            fill(topic, 100, 110, Duration.ZERO);
            clock.advanceTimeBy(Duration.ofDays(1));
            assertThat(partition.beginOffset()).isEqualTo(100);
            floor.dispose();
            other.dispose();
            clock.advanceTimeBy(Duration.ofDays(1));
            assertThat(partition.beginOffset()).isEqualTo(110);
        }
    }

    @Test
    void whatIsKeptCanBeChangedForGood() throws Exception {
        try (EventLog log = Logs.open(directory, spec)) {
            Topic topic = topic(log, Retention.forever());
            fill(topic, 0, 100, Duration.ZERO);
            clock.advanceTimeBy(Duration.ofDays(1000));
            assertThat(topic.partition(0).beginOffset()).isZero();
            Retention changed = Retention.forever().maxBytes(1).maxAge(Duration.ofDays(7));
            log.changeRetention(Logs.TOPIC, changed).block(Logs.WAIT);
            assertThat(topic.retention()).isEqualTo(changed);
        }
        assertThat(Files.readString(Logs.metadataFile(directory)))
                .isEqualTo("format=2\npartitions=1\nretention.ms=604800000\nretention.bytes=1\n");
        try (EventLog log = Logs.open(directory, spec)) {
            clock.advanceTimeBy(Duration.ofMinutes(1));
            assertThat(log.topic(Logs.TOPIC).partition(0).beginOffset()).isEqualTo(100);
            assertThatThrownBy(() -> log.changeRetention("nope", Retention.forever()))
                    .isInstanceOf(UnknownTopicException.class);
        }
        for (Duration bad : List.of(Duration.ZERO, Duration.ofDays(40_000))) {
            assertThatThrownBy(() -> Retention.forever().maxAge(bad))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(bad.toString());
        }
        assertThatThrownBy(() -> Retention.forever().maxBytes(0)).hasMessageContaining("0");
    }

    @Test
    void producersAreKnownAfterTheirRecordsAreDeletedAndAfterACrashToo() {
        LogImage crashed;
        try (EventLog log = Logs.open(directory, spec)) {
            Topic topic = topic(log, Retention.forever().maxBytes(2000));
            for (int i = 0; i < 300; i++) {
                Logs.append(topic, Logs.record("p" + i % 3, i));
            }
            log.enforceRetention().block(Logs.WAIT);
            assertThat(topic.partition(0).beginOffset()).isGreaterThan(200);
            assertRepeats(topic, 300);
            crashed = LogImage.of(directory);
        }
        try (EventLog log = Logs.open(directory, spec)) {
            assertRepeats(log.topic(Logs.TOPIC), 300);
        }
        crashed.writeTo(directory);
        try (EventLog log = Logs.open(directory, spec)) {
            assertRepeats(log.topic(Logs.TOPIC), 300);
        }
    }

    @Test
    void aSequenceWhoseRecordCouldOnlyBeFoundInWhatIsDeletedIsRefused() {
        try (EventLog log = Logs.open(directory, spec.segmentBytes(16 << 10))) {
            Topic topic = topic(log, Retention.forever().maxBytes(1));
            for (int i = 0; i < 3000; i += 100) {
                topic.append(IntStream.range(i, i + 100)
                                .mapToObj(n -> Logs.record("p", n))
                                .toList())
                        .block(Logs.WAIT);
            }
            log.enforceRetention().block(Logs.WAIT);
            assertThat(Logs.append(topic, Logs.record("p", 2900))).containsExactly(new AppendResult(0, 2900, true));
            assertThatThrownBy(() -> Logs.append(topic, Logs.record("p", 17)))
                    .isInstanceOf(OutOfOrderSequenceException.class)
                    .hasMessageContaining("deleted");
        }
    }

    @Test
    void aCrashBetweenDecisionAndDeletionLeavesNothingBehind() {
        try (EventLog log = Logs.open(directory, spec)) {
            Topic topic = topic(log, Retention.forever().maxBytes(2000));
            fill(topic, 0, 100, Duration.ZERO);
            LogImage before = LogImage.of(directory);
            log.enforceRetention().block(Logs.WAIT);
            LogImage after = LogImage.of(directory);
            for (String name : before.names()) {
                if (!after.names().contains(name) && name.endsWith(".log")) {
                    after = after.with(name, before.bytes(name));
                }
            }
            Path crashed = directory.resolve("crashed");
            after.writeTo(crashed);
            try (EventLog again = Logs.open(crashed, spec)) {
                Partition partition = again.topic(Logs.TOPIC).partition(0);
                assertThat(partition.beginOffset())
                        .isEqualTo(topic.partition(0).beginOffset())
                        .isPositive();
                assertThat(Logs.segmentBases(crashed)).first().isEqualTo(partition.beginOffset());
                assertThat(partition.damage()).isEmpty();
            }
        }
    }

    @Test
    void ifTheDecisionCannotBeMadeDurableNothingIsDeleted() {
        try (EventLog log = Logs.open(directory, spec)) {
            Topic topic = topic(log, Retention.forever().maxBytes(2000));
            fill(topic, 0, 100, Duration.ZERO);
            List<Long> bases = Logs.segmentBases(directory);
            storage.onWrite = (file, source, position, target) -> {
                throw new IOException("No space left on device");
            };
            assertThatThrownBy(() -> log.enforceRetention().block(Logs.WAIT)).hasMessageContaining("No space left");
            assertThat(Logs.segmentBases(directory)).isEqualTo(bases);
            assertThat(topic.partition(0).beginOffset()).isZero();
            storage.onWrite = (file, source, position, target) -> {};
            assertThat(log.enforceRetention().block(Logs.WAIT)).isPositive();
        }
    }

    /** Appends, deletions and readers of any speed interleave. */
    @Test
    void eachReaderSeesEverySurvivingRecordOnceOrLearnsHowManyAreGone() throws Exception {
        long seed = 99;
        int rounds = Logs.thorough() ? 200 : 20;
        int gone = 0;
        for (int round = 0; round < rounds; round++) {
            Random random = new Random(seed + round);
            try (EventLog log = Logs.open(directory.resolve("r" + round), spec)) {
                Topic topic = topic(log, Retention.forever().maxBytes(2000));
                List<Reader> readers = new ArrayList<>();
                for (int i = 0; i < 8; i++) {
                    readers.add(new Reader(topic.partition(0)));
                }
                int end = 0;
                for (int step = 0; step < 60; step++) {
                    int more = random.nextInt(12);
                    fill(topic, end, end + more, Duration.ofSeconds(1));
                    end += more;
                    readers.get(random.nextInt(8)).requestMore(random.nextInt(30));
                    if (random.nextInt(4) == 0) {
                        log.enforceRetention().block(Logs.WAIT);
                    }
                }
                for (Reader reader : readers) {
                    reader.finish(end);
                    gone += reader.lost.isEmpty() ? 0 : 1;
                    // What it saw and what it was told is gone are together every offset, each once.
                    List<Long> all = new ArrayList<>(reader.seen);
                    all.addAll(reader.lost);
                    Collections.sort(all);
                    assertThat(all)
                            .as("seed %d", seed + round)
                            .isEqualTo(LongStream.range(0, end).boxed().toList());
                    assertThat(reader.seen).isSorted();
                }
            }
        }
        assertThat(gone).isPositive();
        System.out.println("retention under readers: " + rounds + " rounds of 8 readers, " + gone
                + " of which lost something, seed " + seed);
    }

    private static void assertRepeats(Topic topic, int count) {
        for (int i = 0; i < count; i++) {
            assertThat(Logs.append(topic, Logs.record("p" + i % 3, i))).containsExactly(new AppendResult(0, i, true));
        }
        assertThat(topic.partition(0).endOffset()).isEqualTo(count);
    }

    private static Topic topic(EventLog log, Retention retention) {
        return log.createTopic(Logs.TOPIC, TopicSpec.partitions(1).retention(retention))
                .block(Logs.WAIT);
    }

    private void fill(Topic topic, int from, int to, Duration between) {
        for (int i = from; i < to; i++) {
            Logs.append(topic, Logs.record(i));
            clock.advanceTimeBy(between);
        }
    }

    /** Follows the log from its beginning under its own demand; when it is too late, it notes what is gone and goes on behind. */
    private static final class Reader {

        private final List<Long> seen = new ArrayList<>();
        private final List<Long> lost = new ArrayList<>();
        private final CompletableFuture<Void> done = new CompletableFuture<>();
        private final BaseSubscriber<LogRecord> subscriber = new BaseSubscriber<>() {
            @Override
            protected void hookOnSubscribe(Subscription subscription) {
                // Demand comes from the test.
            }

            @Override
            protected void hookOnError(Throwable failure) {
                done.completeExceptionally(failure);
            }
        };
        private volatile long next;
        private volatile long end = Long.MAX_VALUE;

        Reader(Partition partition) {
            Flux.defer(() -> partition.read(next))
                    .doOnNext(this::see)
                    .doOnError(OffsetOutOfRangeException.class, this::note)
                    .retryWhen(Retry.indefinitely().filter(OffsetOutOfRangeException.class::isInstance))
                    .subscribe(subscriber);
        }

        void requestMore(int count) {
            if (count > 0) {
                subscriber.request(count);
            }
        }

        void finish(long newEnd) throws Exception {
            end = newEnd;
            subscriber.requestUnbounded();
            if (next >= newEnd) {
                done.complete(null);
            }
            done.get(Logs.WAIT.toSeconds(), TimeUnit.SECONDS);
            subscriber.dispose();
        }

        private void note(OffsetOutOfRangeException e) {
            assertThat(e.requested()).isEqualTo(next);
            assertThat(e.lost()).isPositive();
            LongStream.range(next, e.begin()).boxed().forEach(lost::add);
            moveTo(e.begin());
        }

        private void see(LogRecord record) {
            assertThat(record.offset()).isEqualTo(next);
            assertThat(record.value()).isEqualTo(Logs.bytes("value-" + record.offset()));
            seen.add(record.offset());
            moveTo(next + 1);
        }

        private void moveTo(long offset) {
            next = offset;
            if (offset >= end) {
                done.complete(null);
            }
        }
    }
}
