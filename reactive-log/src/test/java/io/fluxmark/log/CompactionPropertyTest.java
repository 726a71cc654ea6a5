package io.fluxmark.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.test.scheduler.VirtualTimeScheduler;
import reactor.util.retry.Retry;

/** Random histories, compacted at random moments under readers at random places, over restarts and power cuts. */
class CompactionPropertyTest {

    private static final Compression[] COMPRESSIONS = Compression.values();

    @TempDir
    Path directory;

    @Test
    void tableAndReadersSeeWhatTheySawWithoutCompaction() throws Exception {
        int rounds = Logs.thorough() ? 1_000 : 60;
        long seed = 4711;
        long removed = 0;
        long tombstones = 0;
        int gone = 0;
        for (int round = 0; round < rounds; round++) {
            History history =
                    new History(new Random(seed + round), directory.resolve("r" + round), "seed " + (seed + round));
            history.run();
            removed += history.removed;
            tombstones += history.tombstonesRemoved;
            gone += history.readersThatLost;
        }
        assertThat(removed).isPositive();
        assertThat(tombstones).isPositive();
        System.out.println("compaction: " + rounds + " histories under 6 readers each, " + removed + " records and "
                + tombstones + " tombstones removed, " + gone + " readers told of deleted offsets, seed " + seed);
    }

    /** The power fails at any change of any file. */
    @Test
    void aPowerCutDuringCompactionLeavesOldOrNewOfEachSegment() throws Exception {
        int trials = Logs.thorough() ? 2_000 : 200;
        long seed = 86;
        int swaps = 0;
        int compacted = 0;
        for (int trial = 0; trial < trials; trial++) {
            Random random = new Random(seed + trial);
            String as = "seed " + (seed + trial);
            Path before = Files.createDirectory(directory.resolve("before" + trial));
            Path after = Files.createDirectory(directory.resolve("after" + trial));
            PowerCutStorage storage = new PowerCutStorage(before, 60 + random.nextInt(400), random);
            List<LogRecord> appended = new ArrayList<>();
            int acknowledged = runUntilThePowerFails(before, storage, random, appended);
            storage.writeRemains(after);
            swaps += LogImage.of(after).names().stream().anyMatch(name -> name.endsWith(".swap")) ? 1 : 0;
            try (EventLog log = Logs.open(after, LogSpec.defaults().storage(FaultStorage.fast()))) {
                if (log.topics().isEmpty()) {
                    continue;
                }
                Partition partition = log.topic(Logs.TOPIC).partition(0);
                assertThat(partition.damage()).as(as).isEmpty();
                assertThat(partition.verify().collectList().block(Logs.WAIT))
                        .as(as)
                        .isEmpty();
                assertThat(partition.endOffset()).as(as).isBetween((long) acknowledged, (long) appended.size());
                List<LogRecord> original = appended.subList(0, (int) partition.endOffset());
                List<LogRecord> left = Logs.readAll(partition);
                compacted += left.size() < original.size() ? 1 : 0;
                assertThat(left).as(as).allSatisfy(record -> assertSame(record, original.get((int) record.offset())));
                assertThat(left).as(as).extracting(LogRecord::offset).isSorted().doesNotHaveDuplicates();
                assertThat(CompactionTest.fold(left)).as(as).isEqualTo(CompactionTest.fold(original));
                log.compact(Logs.TOPIC).block(Logs.WAIT);
                assertThat(CompactionTest.fold(Logs.readAll(partition)))
                        .as(as)
                        .isEqualTo(CompactionTest.fold(original));
                assertThat(LogImage.of(after).names()).noneMatch(name -> name.endsWith(".swap"));
            }
        }
        assertThat(swaps).as("exchanges are interrupted").isPositive();
        System.out.println("power cuts under compaction: " + trials + " trials, " + compacted + " compacted, " + swaps
                + " in the middle of an exchange, seed " + seed);
    }

    /** The same at each change that one compaction makes, from the first to the last. */
    @Test
    void aPowerCutAtEveryChangeOfACompactionLeavesOldOrNewOfEachSegment() throws Exception {
        int seeds = Logs.thorough() ? 20 : 2;
        List<LogRecord> appended = new ArrayList<>();
        LogImage image = imageToCompact(appended);
        int cuts = 0;
        boolean finished = false;
        for (int changes = 0; !finished; changes++) {
            for (int seed = 0; seed < seeds; seed++) {
                String as = "cut after " + changes + " changes, seed " + seed;
                Path before = directory.resolve("before-" + changes + "-" + seed);
                Path after = Files.createDirectory(directory.resolve("after-" + changes + "-" + seed));
                image.writeTo(before);
                PowerCutStorage storage = new PowerCutStorage(before, changes, new Random(seed));
                finished = compactUntilThePowerFails(before, storage);
                storage.writeRemains(after);
                cuts += finished ? 0 : 1;
                try (EventLog log = Logs.open(after, LogSpec.defaults().storage(FaultStorage.fast()))) {
                    Partition partition = log.topic(Logs.TOPIC).partition(0);
                    assertThat(partition.damage()).as(as).isEmpty();
                    assertThat(partition.verify().collectList().block(Logs.WAIT))
                            .as(as)
                            .isEmpty();
                    assertThat(partition.endOffset()).as(as).isEqualTo(appended.size());
                    assertThat(CompactionTest.fold(Logs.readAll(partition)))
                            .as(as)
                            .isEqualTo(CompactionTest.fold(appended));
                }
            }
        }
        assertThat(cuts).isGreaterThan(50);
        System.out.println("power cuts at every change of a compaction: " + cuts + " cuts, seeds 0 to " + (seeds - 1));
    }

    private LogImage imageToCompact(List<LogRecord> appended) {
        Path path = directory.resolve("image");
        LogSpec spec = LogSpec.defaults().storage(FaultStorage.fast()).segmentBytes(1024);
        TopicSpec created =
                TopicSpec.partitions(1).compaction(Compaction.byKey().deleteHorizon(Duration.ZERO));
        Random random = new Random(5);
        try (EventLog log = Logs.open(path, spec)) {
            Topic topic = log.createTopic(Logs.TOPIC, created).block(Logs.WAIT);
            while (appended.size() < 120) {
                topic.append(randomRequest(random, appended, 0)).block(Logs.WAIT);
                if (appended.size() > 60 && random.nextInt(12) == 0) {
                    log.compact(Logs.TOPIC).block(Logs.WAIT);
                }
            }
        }
        return LogImage.of(path);
    }

    /** Answers whether it got to the end. */
    private static boolean compactUntilThePowerFails(Path path, PowerCutStorage storage) {
        LogSpec spec = LogSpec.defaults().storage(storage).segmentBytes(1024).writerExecutor(Runnable::run);
        try (EventLog log = Logs.open(path, spec)) {
            log.compact(Logs.TOPIC).block(Logs.WAIT);
        } catch (RuntimeException e) {
            assertThat(storage.isOff()).as("%s", e).isTrue();
        }
        return !storage.isOff();
    }

    private static int runUntilThePowerFails(
            Path path, PowerCutStorage storage, Random random, List<LogRecord> appended) {
        LogSpec spec = LogSpec.defaults()
                .storage(storage)
                .segmentBytes(1024)
                .readBufferBytes(512)
                .compactionBytes(random.nextBoolean() ? 1024 : 1 << 20)
                .clock(VirtualTimeScheduler.create())
                .writerExecutor(Runnable::run);
        int acknowledged = 0;
        EventLog log = null;
        try {
            log = Logs.open(path, spec);
            Duration horizon = random.nextBoolean() ? Duration.ZERO : Duration.ofDays(1);
            Topic topic = log.createTopic(
                            Logs.TOPIC,
                            TopicSpec.partitions(1)
                                    .compaction(Compaction.byKey().deleteHorizon(horizon)))
                    .block(Logs.WAIT);
            while (true) {
                List<AppendRecord> request = randomRequest(random, appended, 0);
                topic.append(request).block(Logs.WAIT);
                acknowledged = appended.size();
                if (random.nextInt(12) == 0) {
                    log.compact(Logs.TOPIC).block(Logs.WAIT);
                }
            }
        } catch (RuntimeException e) {
            assertThat(storage.isOff()).as("%s", e).isTrue();
        } finally {
            if (log != null) {
                log.close();
            }
        }
        return acknowledged;
    }

    private static List<AppendRecord> randomRequest(Random random, List<LogRecord> appended, long now) {
        List<AppendRecord> request = new ArrayList<>();
        for (int i = random.nextInt(6); i >= 0; i--) {
            byte[] key = Logs.bytes("key" + random.nextInt(random.nextBoolean() ? 6 : 60));
            byte[] value =
                    random.nextInt(4) == 0 ? null : Logs.bytes("v" + appended.size() + "x".repeat(random.nextInt(80)));
            request.add(AppendRecord.to(0, key, value));
            appended.add(new LogRecord(0, appended.size(), now, key, value, List.of()));
        }
        return request;
    }

    private static void assertSame(LogRecord read, LogRecord original) {
        assertThat(read.key()).isEqualTo(original.key());
        assertThat(read.value()).isEqualTo(original.value());
    }

    private static final class History {

        private final Random random;
        private final Path path;
        private final String as;
        private final VirtualTimeScheduler clock = VirtualTimeScheduler.create();
        private final List<LogRecord> appended = new ArrayList<>();
        private final List<Reader> readers = new ArrayList<>();
        private final boolean deletes;
        private final boolean longHorizon;
        private long floor;
        private final boolean hasFloor;
        private long removed;
        private long tombstonesRemoved;
        private int readersThatLost;

        History(Random random, Path path, String as) {
            this.random = random;
            this.path = path;
            this.as = as;
            this.deletes = random.nextInt(4) == 0;
            this.longHorizon = random.nextBoolean();
            this.hasFloor = random.nextInt(3) == 0;
        }

        void run() throws Exception {
            LogSpec spec = LogSpec.defaults()
                    .storage(FaultStorage.fast())
                    .clock(clock)
                    .segmentBytes(1024 << random.nextInt(3))
                    .readBufferBytes(512)
                    .retentionInterval(Duration.ofDays(36_000))
                    .compactionBytes(random.nextBoolean() ? 1024 : 1 << 20)
                    .compression(COMPRESSIONS[random.nextInt(COMPRESSIONS.length)])
                    .writerExecutor(Runnable::run);
            TopicSpec created = TopicSpec.partitions(1)
                    .compaction(Compaction.byKey()
                            .deleteHorizon(longHorizon ? Duration.ofDays(30_000) : Duration.ofMinutes(5)))
                    .retention(deletes ? Retention.forever().maxBytes(3_000) : Retention.forever());
            try (EventLog log = Logs.open(path, spec)) {
                log.createTopic(Logs.TOPIC, created).block(Logs.WAIT);
                steps(log, 25);
            }
            try (EventLog log = Logs.open(path, spec)) {
                steps(log, 40);
                finish(log);
            }
        }

        private void steps(EventLog log, int count) throws Exception {
            Topic topic = log.topic(Logs.TOPIC);
            if (hasFloor) {
                log.register((name, id) -> floor);
            }
            readers.clear();
            for (int i = 0; i < 6; i++) {
                long from = i < 3
                        ? topic.partition(0).beginOffset()
                        : topic.partition(0).beginOffset()
                                + random.nextInt((int) (topic.partition(0).endOffset()
                                                - topic.partition(0).beginOffset())
                                        + 1);
                readers.add(new Reader(topic.partition(0), from));
            }
            for (int step = 0; step < count; step++) {
                topic.append(randomRequest(random, appended, clock.now(TimeUnit.MILLISECONDS)))
                        .block(Logs.WAIT);
                clock.advanceTimeBy(Duration.ofSeconds(random.nextInt(60)));
                readers.get(random.nextInt(6)).requestMore(random.nextInt(20));
                floor = Math.max(floor, random.nextInt(appended.size() + 1) - 10);
                if (random.nextInt(5) == 0) {
                    CompactionResult result = log.compact(Logs.TOPIC).block(Logs.WAIT);
                    removed += result.recordsBefore() - result.recordsAfter();
                    tombstonesRemoved += result.tombstonesRemoved();
                    assertTable(topic.partition(0));
                }
                if (deletes && random.nextInt(6) == 0) {
                    log.enforceRetention().block(Logs.WAIT);
                }
            }
            for (Reader reader : readers) {
                reader.finish(appended.size());
            }
            check(topic.partition(0));
        }

        private void finish(EventLog log) {
            log.compact(Logs.TOPIC).block(Logs.WAIT);
            assertTable(log.topic(Logs.TOPIC).partition(0));
        }

        private void assertTable(Partition partition) {
            List<LogRecord> left = Logs.readAll(partition);
            assertThat(left).as(as).allSatisfy(record -> {
                LogRecord original = appended.get((int) record.offset());
                assertSame(record, original);
                assertThat(record.appendTime()).isEqualTo(original.appendTime());
            });
            assertThat(left).as(as).extracting(LogRecord::offset).isSorted().doesNotHaveDuplicates();
            if (!deletes) {
                assertThat(CompactionTest.fold(left)).as(as).isEqualTo(CompactionTest.fold(appended));
            }
            Set<Long> offsets = new HashSet<>();
            left.forEach(record -> offsets.add(record.offset()));
            if (hasFloor) {
                for (long needed = floor; needed < appended.size(); needed++) {
                    assertThat(offsets).as("%s: floor %d", as, floor).contains(needed);
                }
            }
        }

        /** What a reader saw and was told is gone covers all that survived. */
        private void check(Partition partition) {
            List<Long> survivors =
                    Logs.readAll(partition).stream().map(LogRecord::offset).toList();
            for (Reader reader : readers) {
                List<Long> seen = reader.seen.stream().map(LogRecord::offset).toList();
                assertThat(seen).as(as).isSorted().doesNotHaveDuplicates();
                assertThat(reader.seen)
                        .as(as)
                        .allSatisfy(record -> assertSame(record, appended.get((int) record.offset())));
                Set<Long> known = new HashSet<>(seen);
                assertThat(survivors.stream().filter(offset -> offset >= reader.from))
                        .as(as)
                        .allMatch(known::contains);
                readersThatLost += reader.lost > 0 ? 1 : 0;
                if (longHorizon && reader.from == 0 && reader.lost == 0) {
                    assertThat(CompactionTest.fold(reader.seen)).as(as).isEqualTo(CompactionTest.fold(appended));
                }
            }
        }
    }

    /** Follows the log under its own demand; when it is too late, it notes what is gone and goes on behind. */
    private static final class Reader {

        private final long from;
        private final List<LogRecord> seen = new ArrayList<>();
        private final CompletableFuture<Void> done = new CompletableFuture<>();
        private final Partition partition;
        private final BaseSubscriber<LogRecord> subscriber = new BaseSubscriber<>() {
            @Override
            protected void hookOnSubscribe(Subscription subscription) {
                // Demand comes from the test.
            }

            @Override
            protected void hookOnError(Throwable failure) {
                done.completeExceptionally(failure);
            }

            @Override
            protected void hookOnComplete() {
                done.complete(null);
            }
        };
        private volatile long next;
        private long lost;

        Reader(Partition partition, long from) {
            this.partition = partition;
            this.from = from;
            this.next = from;
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

        /** The last record appended is never removed. */
        void finish(long end) throws Exception {
            subscriber.requestUnbounded();
            long deadline = System.nanoTime() + Logs.WAIT.toNanos();
            while (next < end && !done.isDone() && System.nanoTime() < deadline) {
                Thread.onSpinWait();
            }
            if (done.isDone()) {
                done.get();
            }
            assertThat(next).isEqualTo(end).isEqualTo(partition.endOffset());
            subscriber.dispose();
        }

        private void note(OffsetOutOfRangeException e) {
            // Offsets that compaction had emptied were passed over already.
            assertThat(e.requested()).isGreaterThanOrEqualTo(next);
            assertThat(e.lost()).isEqualTo(e.begin() - e.requested()).isPositive();
            lost += e.lost();
            next = e.begin();
        }

        private void see(LogRecord record) {
            assertThat(record.offset()).isGreaterThanOrEqualTo(next);
            seen.add(record);
            next = record.offset() + 1;
        }
    }
}
