package io.fluxmark.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.Disposable;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;
import reactor.test.subscriber.TestSubscriber;

class LogReaderTest {

    private static final int SEGMENT_BYTES = 1024;
    private static final Duration POLL = Duration.ofMillis(200);

    @TempDir
    Path directory;

    @TempDir
    Path copy;

    private final LogSpec writing =
            LogSpec.defaults().segmentBytes(SEGMENT_BYTES).storage(FaultStorage.fast());
    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();

    @Test
    void readsBesideTheWriterAndChangesNothing() {
        try (EventLog log = Logs.open(directory, writing)) {
            Topic topic = Logs.topic(log);
            Logs.appendEach(topic, 0, 100);
            LogImage before = LogImage.of(directory);
            TopicReader reader = LogReader.of(directory).topic(Logs.TOPIC).block(Logs.WAIT);
            PartitionReader partition = reader.partition(0);
            assertThat(partition.beginOffset()).isZero();
            assertThat(partition.endOffset()).isEqualTo(100);
            assertThat(partition.readTo(0, 100).collectList().block(Logs.WAIT))
                    .isEqualTo(Logs.readAll(topic.partition(0)));
            assertThat(partition.verify().collectList().block(Logs.WAIT)).isEmpty();
            assertThat(partition.segments())
                    .extracting(SegmentInfo::baseOffset)
                    .isEqualTo(Logs.segmentBases(directory));
            long middle = partition.readTo(50, 51).blockLast(Logs.WAIT).appendTime();
            assertThat(partition.offsetAt(Instant.ofEpochMilli(middle)).block(Logs.WAIT))
                    .isEqualTo(topic.partition(0)
                            .offsetAt(Instant.ofEpochMilli(middle))
                            .block(Logs.WAIT));
            assertUnchanged(before);
        }
    }

    @Test
    void whatIsNotThereIsSaid() {
        assertThat(LogReader.of(directory.resolve("none")).topics().block(Logs.WAIT))
                .isEmpty();
        try (EventLog log = Logs.open(directory)) {
            log.createTopic("b", 1).block(Logs.WAIT);
            log.createTopic("a", 2).block(Logs.WAIT);
        }
        assertThat(LogReader.of(directory).topics().block(Logs.WAIT)).containsExactly("a", "b");
        assertThatThrownBy(() -> LogReader.of(directory).topic("c").block(Logs.WAIT))
                .isInstanceOf(UnknownTopicException.class)
                .hasMessageContaining("'c'")
                .hasMessageContaining("[a, b]");
        TopicReader empty = LogReader.of(directory).topic("a").block(Logs.WAIT);
        assertThat(empty.partition(1).readTo(0, 0).collectList().block(Logs.WAIT))
                .isEmpty();
        assertThat(empty.partition(1).batches(0).collectList().block(Logs.WAIT)).isEmpty();
        assertThatThrownBy(() -> empty.partition(2)).hasMessageContaining("has no partition 2; it has 0 to 1");
        assertThatThrownBy(() -> LogReader.of(directory).pollInterval(Duration.ZERO))
                .hasMessageContaining("PT0S");
    }

    @Test
    void followsTheFilesInTheDeclaredInterval() {
        try (EventLog log = Logs.open(directory, writing)) {
            Topic topic = Logs.topic(log);
            PartitionReader partition = open();
            StepVerifier.create(partition.read(0).map(LogRecord::offset), 0)
                    .then(() -> time.advanceTimeBy(POLL))
                    .then(() -> Logs.appendEach(topic, 0, 1))
                    .then(() -> time.advanceTimeBy(POLL.minusMillis(1)))
                    .thenRequest(60)
                    .then(time::advanceTime)
                    .expectNoEvent(Duration.ZERO)
                    .then(() -> time.advanceTimeBy(Duration.ofMillis(1)))
                    .expectNext(0L)
                    // Over the ends of segments, that come and are sealed between two looks.
                    .then(() -> Logs.appendEach(topic, 1, 60))
                    .then(() -> time.advanceTimeBy(POLL))
                    .expectNextSequence(LongStream.range(1, 60).boxed().toList())
                    .then(() -> Logs.appendEach(topic, 60, 61))
                    .then(() -> time.advanceTimeBy(POLL))
                    .thenRequest(1)
                    .then(time::advanceTime)
                    .expectNext(60L)
                    .thenCancel()
                    .verify(Logs.WAIT);
            assertThat(Logs.segmentBases(directory)).hasSizeGreaterThan(3);
        }
    }

    @Test
    void whatRetentionDeletesMeanwhileIsAnErrorWithTheCount() {
        LogSpec spec = writing.clock(new MovableClock());
        try (EventLog log = Logs.open(directory, spec)) {
            Topic topic = log.createTopic(
                            Logs.TOPIC,
                            TopicSpec.partitions(1)
                                    .retention(Retention.forever().maxBytes(1)))
                    .block(Logs.WAIT);
            Logs.appendEach(topic, 0, 100);
            PartitionReader partition = open();
            List<Long> read = new ArrayList<>();
            long openFileEnds = Logs.segmentBases(directory).get(1);
            StepVerifier.create(partition.read(0).map(LogRecord::offset).doOnNext(read::add), 1)
                    .then(time::advanceTime)
                    .expectNext(0L)
                    .then(() -> log.enforceRetention().block(Logs.WAIT))
                    .thenRequest(Long.MAX_VALUE)
                    .then(time::advanceTime)
                    .thenConsumeWhile(offset -> true)
                    .expectErrorSatisfies(
                            e -> assertThat(e).isInstanceOfSatisfying(OffsetOutOfRangeException.class, gone -> {
                                assertThat(gone.requested()).isEqualTo(openFileEnds);
                                assertThat(gone.lost())
                                        .isEqualTo(topic.partition(0).beginOffset() - openFileEnds);
                            }))
                    .verify(Logs.WAIT);
            assertThat(read).hasSize((int) openFileEnds);
            // Whoever comes now begins where the writer does.
            assertThat(open().beginOffset()).isEqualTo(topic.partition(0).beginOffset());
        }
    }

    @Test
    void compactionBesideTheReaderTakesAwayNothingThatSurvives() {
        int cases = Logs.thorough() ? 1_000 : 40;
        long seed = 20_261_202;
        Random random = new Random(seed);
        for (int i = 0; i < cases; i++) {
            LogImage.of(copy).writeTo(directory);
            try (EventLog log = Logs.open(directory, writing)) {
                Topic topic = log.createTopic(
                                Logs.TOPIC, TopicSpec.partitions(1).compaction(Compaction.byKey()))
                        .block(Logs.WAIT);
                appendKeyed(topic, 0, 100, random);
                Partition own = topic.partition(0);
                List<LogRecord> read = new ArrayList<>();
                TestSubscriber<LogRecord> reader =
                        TestSubscriber.builder().initialRequest(0).build();
                open().read(0).doOnNext(read::add).subscribe(reader);
                while (read.isEmpty() || read.get(read.size() - 1).offset() < 199) {
                    reader.request(1 + random.nextInt(30));
                    time.advanceTimeBy(random.nextBoolean() ? POLL : Duration.ZERO);
                    int action = random.nextInt(4);
                    if (action == 0) {
                        log.compact(Logs.TOPIC).block(Logs.WAIT);
                    } else if (action == 1 && own.endOffset() < 200) {
                        appendKeyed(topic, (int) own.endOffset(), (int) own.endOffset() + 20, random);
                    }
                    assertThat(reader.getTerminalSignal())
                            .as("case %d of seed %d", i, seed)
                            .isNull();
                }
                assertThat(read).extracting(LogRecord::offset).isSorted().doesNotHaveDuplicates();
                assertThat(read).as("case %d of seed %d", i, seed).containsAll(Logs.readAll(own));
                reader.cancel();
            }
        }
        System.out.printf("LogReaderTest: %d readers beside compaction, seed %d%n", cases, seed);
    }

    @Test
    void anExchangeThatCompactionHasBegunIsReadAsIfItWereDone() throws Exception {
        try (EventLog log = Logs.open(copy, writing)) {
            Topic topic = log.createTopic(Logs.TOPIC, TopicSpec.partitions(1).compaction(Compaction.byKey()))
                    .block(Logs.WAIT);
            appendKeyed(topic, 0, 100, new Random(1));
        }
        LogImage image = LogImage.of(copy);
        int begun = 0;
        for (int changes = 0; ; changes++) {
            image.writeTo(directory);
            PowerCutStorage storage = new PowerCutStorage(directory, changes, new Random(changes));
            try (EventLog log = Logs.open(
                    directory, LogSpec.defaults().segmentBytes(SEGMENT_BYTES).storage(storage))) {
                log.compact(Logs.TOPIC).block(Logs.WAIT);
            } catch (UncheckedIOException e) {
                assertThat(e).hasMessageContaining("power is off");
            }
            LogImage left = LogImage.of(directory);
            begun += left.names().stream().anyMatch(name -> name.endsWith(".swap")) ? 1 : 0;
            PartitionReader reader =
                    LogReader.of(directory).topic(Logs.TOPIC).block(Logs.WAIT).partition(0);
            assertThat(reader.verify().collectList().block(Logs.WAIT)).isEmpty();
            List<LogRecord> read =
                    reader.readTo(0, reader.endOffset()).collectList().block(Logs.WAIT);
            assertUnchanged(left);
            try (EventLog log = Logs.open(directory)) {
                assertThat(read).isEqualTo(Logs.readAll(log.topic(Logs.TOPIC).partition(0)));
            }
            if (!storage.isOff()) {
                break;
            }
        }
        assertThat(begun).isPositive();
    }

    private static void appendKeyed(Topic topic, int from, int to, Random random) {
        for (int i = from; i < to; i++) {
            Logs.append(topic, AppendRecord.to(0, Logs.bytes("k" + random.nextInt(8)), Logs.bytes("value-" + i)));
        }
    }

    @Test
    void aBatchThatIsBeingWrittenIsShownWhenItIsComplete() throws Exception {
        LogImage image;
        try (EventLog log = Logs.open(copy, LogSpec.defaults())) {
            Logs.appendEach(Logs.topic(log), 0, 3);
            image = LogImage.of(copy);
        }
        byte[] whole = image.bytes(LogImage.segment(0));
        int last = lastBatch(whole);
        Path file = Logs.segment(directory, 0);
        for (int length = last; length < whole.length; length++) {
            image.with(LogImage.segment(0), Arrays.copyOf(whole, length)).writeTo(directory);
            PartitionReader partition = open();
            assertThat(partition.endOffset()).isEqualTo(2);
            List<Long> read = new ArrayList<>();
            Disposable reader = partition.read(0).map(LogRecord::offset).subscribe(read::add);
            time.advanceTimeBy(POLL);
            assertThat(read).containsExactly(0L, 1L);
            assertThat(Files.size(file)).as("nothing is cut").isEqualTo(length);
            Files.write(file, whole);
            time.advanceTimeBy(POLL);
            assertThat(read).containsExactly(0L, 1L, 2L);
            reader.dispose();
        }
    }

    @Test
    void followsAWriterThatHasCutATornTailAndGoesOn() throws Exception {
        LogImage image;
        try (EventLog log = Logs.open(copy, LogSpec.defaults())) {
            Logs.appendEach(Logs.topic(log), 0, 3);
            image = LogImage.of(copy);
        }
        byte[] whole = image.bytes(LogImage.segment(0));
        image.with(LogImage.segment(0), Arrays.copyOf(whole, whole.length + 40)).writeTo(directory);
        List<String> read = new ArrayList<>();
        Disposable reader =
                open().read(0).subscribe(record -> read.add(new String(record.requireValue(), StandardCharsets.UTF_8)));
        time.advanceTimeBy(POLL);
        try (EventLog log = Logs.open(directory)) {
            Logs.appendEach(log.topic(Logs.TOPIC), 3, 6);
            time.advanceTimeBy(POLL);
            assertThat(read).isEqualTo(Logs.expectedValues(0, 6));
        }
        // What was written but could not be forced is cut by the writer; other records take its place.
        byte[] six = Files.readAllBytes(Logs.segment(directory, 0));
        Files.write(Logs.segment(directory, 0), Arrays.copyOf(six, whole.length));
        time.advanceTimeBy(POLL);
        Files.write(Logs.segment(directory, 0), six);
        assertThat(open().endOffset()).isEqualTo(6);
        reader.dispose();
    }

    @Test
    void agreesWithTheLogOnWhatIsDamaged() {
        LogImage image;
        try (EventLog log = Logs.open(copy, writing)) {
            Logs.appendEach(Logs.topic(log), 0, 60);
            image = LogImage.of(copy);
        }
        List<String> segments =
                image.names().stream().filter(name -> name.endsWith(".log")).toList();
        int cases = Logs.thorough() ? 10_000 : 150;
        long seed = 20_261_201;
        Random random = new Random(seed);
        for (int i = 0; i < cases; i++) {
            LogImage damaged = image;
            for (int j = random.nextInt(3); j >= 0; j--) {
                String name = segments.get(random.nextInt(segments.size()));
                damaged = damaged.with(name, damage(damaged.bytes(name), random));
            }
            damaged.writeTo(directory);
            PartitionReader reader =
                    LogReader.of(directory).topic(Logs.TOPIC).block(Logs.WAIT).partition(0);
            List<String> found = ranges(reader.verify().collectList().block(Logs.WAIT));
            long end = reader.endOffset();
            List<String> values = survivors(reader, end);
            assertUnchanged(damaged);
            try (EventLog log = Logs.open(directory, LogSpec.defaults().storage(FaultStorage.fast()))) {
                Partition partition = log.topic(Logs.TOPIC).partition(0);
                assertThat(end).as("case %d of seed %d", i, seed).isEqualTo(partition.endOffset());
                assertThat(found)
                        .as("case %d of seed %d", i, seed)
                        .isEqualTo(ranges(partition.verify().collectList().block(Logs.WAIT)));
            }
            assertThat(values).as("case %d of seed %d", i, seed).isSubsetOf(Logs.expectedValues(0, 60));
        }
        System.out.printf("LogReaderTest: %d damaged logs agree, seed %d%n", cases, seed);
    }

    @Test
    void anEndThatWasForcedAndIsMissingIsDamage() throws Exception {
        try (EventLog log = Logs.open(directory, writing)) {
            Logs.appendEach(Logs.topic(log), 0, 60);
        }
        long last =
                Logs.segmentBases(directory).get(Logs.segmentBases(directory).size() - 1);
        byte[] whole = Files.readAllBytes(Logs.segment(directory, last));
        Files.write(Logs.segment(directory, last), Arrays.copyOf(whole, whole.length - 1));
        Files.delete(Logs.segment(directory, 0));
        PartitionReader reader =
                LogReader.of(directory).topic(Logs.TOPIC).block(Logs.WAIT).partition(0);
        long first = Logs.segmentBases(directory).get(0);
        assertThat(reader.endOffset()).isEqualTo(60);
        assertThat(ranges(reader.verify().collectList().block(Logs.WAIT)))
                .containsExactly(
                        RecordLayout.segmentName(0) + "[0," + first + ")", RecordLayout.segmentName(last) + "[59,60)");
    }

    @Test
    void whenAllSegmentsAreGoneAllOfItIsLost() throws Exception {
        try (EventLog log = Logs.open(directory, writing)) {
            Logs.appendEach(Logs.topic(log), 0, 60);
        }
        for (long base : Logs.segmentBases(directory)) {
            Files.delete(Logs.segment(directory, base));
        }
        PartitionReader reader =
                LogReader.of(directory).topic(Logs.TOPIC).block(Logs.WAIT).partition(0);
        assertThat(ranges(reader.verify().collectList().block(Logs.WAIT)))
                .containsExactly(RecordLayout.segmentName(0) + "[0,60)");
        assertThat(reader.endOffset()).isEqualTo(60);
    }

    @Test
    void searchesByTimeWithoutIndexFilesAndMakesNone() throws Exception {
        MovableClock clock = new MovableClock();
        try (EventLog log = Logs.open(directory, writing.clock(clock))) {
            Topic topic = Logs.topic(log);
            for (int i = 0; i < 60; i++) {
                clock.millis = i * 1000L;
                Logs.append(topic, Logs.record(i));
            }
        }
        LogImage image = LogImage.of(directory);
        for (String name : image.names()) {
            if (name.endsWith("index")) {
                image = image.without(name);
            }
        }
        image.writeTo(directory);
        PartitionReader reader = open();
        for (int i = 0; i < 60; i++) {
            long at = LogReader.of(directory)
                    .topic(Logs.TOPIC)
                    .block(Logs.WAIT)
                    .partition(0)
                    .readTo(i, i + 1)
                    .blockLast(Logs.WAIT)
                    .appendTime();
            StepVerifier.create(reader.readFrom(Instant.ofEpochMilli(at))
                            .map(LogRecord::offset)
                            .take(1))
                    .then(time::advanceTime)
                    .expectNext((long) i)
                    .verifyComplete();
        }
        assertUnchanged(image);
    }

    @Test
    void batchesAreDescribedOneByOne() {
        try (EventLog log = Logs.open(directory, writing.compression(Compression.GZIP))) {
            Topic topic = Logs.topic(log);
            topic.append(IntStream.range(0, 50).mapToObj(Logs::record).toList()).block(Logs.WAIT);
            Logs.append(topic, Logs.record(50));
            PartitionReader reader =
                    LogReader.of(directory).topic(Logs.TOPIC).block(Logs.WAIT).partition(0);
            List<BatchInfo> batches = reader.batches(0).collectList().block(Logs.WAIT);
            assertThat(batches).extracting(BatchInfo::baseOffset).startsWith(0L).endsWith(50L);
            assertThat(batches.get(0).compression()).isEqualTo("gzip");
            assertThat(batches.stream().mapToInt(BatchInfo::records).sum()).isEqualTo(51);
            assertThat(batches.stream().mapToLong(BatchInfo::bytes).sum())
                    .isEqualTo(reader.segments().stream()
                            .mapToLong(SegmentInfo::bytes)
                            .sum());
            assertThat(batches).allSatisfy(batch -> {
                ByteBuffer stored = ByteBuffer.wrap(
                                Files.readAllBytes(batch.segment()), (int) batch.position(), batch.bytes())
                        .slice();
                assertThat(Integer.toUnsignedLong(stored.getInt(RecordLayout.CRC)))
                        .isEqualTo(batch.crc());
                assertThat(batch.producerId()).isEqualTo(-1);
                assertThat(batch.appendTime()).isTrue();
            });
            assertThat(reader.batches(20).blockFirst(Logs.WAIT).baseOffset()).isLessThanOrEqualTo(20);
            assertThatThrownBy(() -> reader.batches(99).blockFirst(Logs.WAIT))
                    .isInstanceOf(OffsetOutOfRangeException.class);
        }
    }

    /** On virtual time. */
    private PartitionReader open() {
        AtomicReference<PartitionReader> opened = new AtomicReference<>();
        LogReader.of(directory, LogSpec.defaults().readScheduler(time))
                .pollInterval(POLL)
                .topic(Logs.TOPIC)
                .subscribe(topic -> opened.set(topic.partition(0)));
        time.advanceTime();
        return opened.get();
    }

    private void assertUnchanged(LogImage before) {
        LogImage after = LogImage.of(directory);
        assertThat(after.names()).isEqualTo(before.names());
        for (String name : before.names()) {
            assertThat(after.bytes(name)).as(name).isEqualTo(before.bytes(name));
        }
    }

    private static byte[] damage(byte[] content, Random random) {
        byte[] changed = content.clone();
        if (changed.length == 0) {
            return changed;
        }
        int at = random.nextInt(changed.length);
        if (random.nextInt(4) == 0) {
            return Arrays.copyOf(changed, at);
        }
        changed[at] ^= (byte) (1 << random.nextInt(8));
        return changed;
    }

    private static List<String> ranges(List<CorruptSegmentException> damages) {
        return damages.stream()
                .map(damage -> damage.segment() + "[" + damage.offset() + "," + damage.lostUntil() + ")")
                .toList();
    }

    private static List<String> survivors(PartitionReader reader, long end) {
        List<String> values = new ArrayList<>();
        long from = reader.beginOffset();
        while (from < end) {
            try {
                reader.readTo(from, end)
                        .doOnNext(record -> values.addAll(Logs.values(List.of(record))))
                        .blockLast(Logs.WAIT);
                return values;
            } catch (CorruptSegmentException damage) {
                from = damage.lostUntil();
            }
        }
        return values;
    }

    private static int lastBatch(byte[] segment) {
        ByteBuffer bytes = ByteBuffer.wrap(segment);
        int at = 0;
        for (; ; ) {
            int next = at + bytes.getInt(at + RecordLayout.BATCH_LENGTH) + RecordLayout.LENGTH_OVERHEAD;
            if (next == segment.length) {
                return at;
            }
            at = next;
        }
    }
}
