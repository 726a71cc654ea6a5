package io.fluxmark.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Segments begin when they should; what is looked up by offset or time is right whatever state the index files are in. */
class SegmentIndexTest {

    private static final int PADDING = 500;

    @TempDir
    Path directory;

    private final VirtualTimeScheduler clock = VirtualTimeScheduler.create();
    private final LogSpec spec =
            LogSpec.defaults().clock(clock).segmentBytes(32 << 10).readBufferBytes(1024);

    @Test
    void aSegmentEndsWithItsSizeOrTheAgeOfItsFirstBatch() {
        try (EventLog log = Logs.open(directory, spec.segmentAge(Duration.ofHours(1)))) {
            Topic topic = Logs.topic(log);
            Logs.appendEach(topic, 0, 2);
            clock.advanceTimeBy(Duration.ofMinutes(59));
            Logs.appendEach(topic, 2, 3);
            assertThat(bases()).containsExactly(0L);
            clock.advanceTimeBy(Duration.ofMinutes(1));
            Logs.appendEach(topic, 3, 4);
            assertThat(bases()).containsExactly(0L, 3L);
        }
        // The first batch's time is known again after opening.
        clock.advanceTimeBy(Duration.ofMinutes(60));
        try (EventLog log = Logs.open(directory, spec.segmentAge(Duration.ofHours(1)))) {
            Logs.appendEach(Logs.topic(log), 4, 5);
            assertThat(bases()).containsExactly(0L, 3L, 4L);
            clock.advanceTimeBy(Duration.ofDays(1));
            assertThat(bases()).as("nothing is appended").containsExactly(0L, 3L, 4L);
        }
    }

    @Test
    void theFilesHaveKafkasNamesAndLayout() throws Exception {
        try (EventLog log = Logs.open(directory, spec)) {
            fill(Logs.topic(log), 200);
        }
        ByteBuffer offsets = ByteBuffer.wrap(Files.readAllBytes(file(0, ".index")));
        ByteBuffer times = ByteBuffer.wrap(Files.readAllBytes(file(0, ".timeindex")));
        ByteBuffer segment = ByteBuffer.wrap(Files.readAllBytes(Logs.segment(directory, 0)));
        assertThat(offsets.remaining()).isPositive();
        int lastPosition = -1;
        while (offsets.hasRemaining()) {
            int relative = offsets.getInt();
            int position = offsets.getInt();
            assertThat(position).isGreaterThan(lastPosition);
            assertThat(segment.getLong(position + RecordLayout.BASE_OFFSET)).isEqualTo(relative);
            lastPosition = position;
        }
        long newest = Long.MIN_VALUE;
        while (times.hasRemaining()) {
            long timestamp = times.getLong();
            long offset = times.getInt();
            assertThat(timestamp).isGreaterThan(newest);
            assertThat(timestamp).isGreaterThanOrEqualTo(10 * offset);
            newest = timestamp;
        }
        assertThat(newest).isEqualTo(10 * (bases().get(1) - 1));
    }

    @Test
    void everyOffsetAndEveryMomentIsFound() {
        try (EventLog log = Logs.open(directory, spec)) {
            fill(Logs.topic(log), 300);
            assertLookUps(Logs.partition(log), 300, 1);
        }
        try (EventLog log = Logs.open(directory, spec)) {
            assertLookUps(Logs.partition(log), 300, 1);
        }
    }

    @Test
    void indexFilesThatAreMissingShortOrWrongAreMadeAgain() throws Exception {
        int count = 150;
        try (EventLog log = Logs.open(directory, spec)) {
            fill(Logs.topic(log), count);
            Partition partition = Logs.partition(log);
            assertThat(bases().size()).isGreaterThanOrEqualTo(3);
            long base = bases().get(1);
            int cases = 0;
            for (String suffix : List.of(".index", ".timeindex")) {
                Path file = file(base, suffix);
                byte[] right = Files.readAllBytes(file);
                List<byte[]> wrong = new ArrayList<>();
                for (int length = 0; length < right.length; length++) {
                    wrong.add(Arrays.copyOf(right, length));
                }
                for (int at = 0; at < right.length; at++) {
                    for (int bit = 0; bit < 8; bit += Logs.thorough() ? 1 : 3) {
                        byte[] flipped = right.clone();
                        flipped[at] ^= (byte) (1 << bit);
                        wrong.add(flipped);
                    }
                }
                wrong.add(Arrays.copyOf(right, right.length + 24));
                wrong.add(new byte[right.length]);
                wrong.add(Files.readAllBytes(file(0, suffix)));
                for (byte[] content : wrong) {
                    Files.write(file, content);
                    assertFoundAround(partition, (int) base, count);
                    cases++;
                }
                Files.delete(file);
                assertFoundAround(partition, (int) base, count);
                assertThat(Files.readAllBytes(file)).as("made again").isEqualTo(right);
            }
            System.out.println("index files damaged: " + cases + " cases");
        }
    }

    @Test
    void indexFilesOfADamagedSegmentDoNotHideTheDamage() throws Exception {
        try (EventLog log = Logs.open(directory, spec)) {
            fill(Logs.topic(log), 150);
            long base = bases().get(1);
            byte[] bytes = Files.readAllBytes(Logs.segment(directory, base));
            bytes[bytes.length / 2] ^= 1;
            Files.write(Logs.segment(directory, base), bytes);
            Partition partition = Logs.partition(log);
            long lost = 0;
            for (long offset = base; offset < 150; offset++) {
                try {
                    assertThat(partition
                                    .readTo(offset, offset + 1)
                                    .blockLast(Logs.WAIT)
                                    .offset())
                            .isEqualTo(offset);
                } catch (CorruptSegmentException e) {
                    assertThat(e.offset()).isEqualTo(offset);
                    assertThat(e.lostUntil()).isEqualTo(offset + 1);
                    lost++;
                }
            }
            assertThat(lost).isEqualTo(1);
        }
    }

    @Test
    void timesThatStepBackAreFoundWhereTheyComeFirst() {
        long seed = 11;
        Random random = new Random(seed);
        int rounds = Logs.thorough() ? 200 : 20;
        for (int round = 0; round < rounds; round++) {
            Path path = directory.resolve("r" + round);
            List<Long> times = new ArrayList<>();
            MovableClock movable = new MovableClock();
            LogSpec moved = spec.clock(movable).segmentBytes(4096 + random.nextInt(8192));
            try (EventLog log = Logs.open(path, moved)) {
                Topic topic = Logs.topic(log);
                for (int i = 0; i < 60; i++) {
                    movable.millis = Math.max(0, movable.millis + random.nextInt(40) - 10);
                    times.add(movable.millis);
                    Logs.append(topic, padded(i));
                }
                assertTimes(topic.partition(0), times);
            }
            try (EventLog log = Logs.open(path, moved)) {
                assertTimes(Logs.partition(log), times);
            }
        }
        System.out.println("times that step back: " + rounds + " logs, seed " + seed);
    }

    @Test
    void readingFromAMomentInTheFutureBeginsWithTheFirstRecordOfThen() {
        try (EventLog log = Logs.open(directory, spec)) {
            Topic topic = Logs.topic(log);
            Logs.appendEach(topic, 0, 3);
            StepVerifier.create(topic.partition(0)
                            .readFrom(Instant.ofEpochMilli(1000))
                            .map(LogRecord::offset))
                    .then(() -> Logs.appendEach(topic, 3, 5))
                    .then(() -> clock.advanceTimeBy(Duration.ofSeconds(1)))
                    .then(() -> Logs.appendEach(topic, 5, 7))
                    .expectNext(5L, 6L)
                    .thenCancel()
                    .verify(Logs.WAIT);
            assertThat(topic.partition(0).offsetAt(Instant.MIN).block(Logs.WAIT))
                    .isZero();
            assertThat(topic.partition(0).offsetAt(Instant.MAX).block(Logs.WAIT))
                    .isEqualTo(7);
            assertThat(topic.partition(0)
                            .offsetAt(Instant.ofEpochMilli(999).plusNanos(1))
                            .block(Logs.WAIT))
                    .isEqualTo(5);
        }
    }

    @Test
    void agesOutOfRangeAreRefused() {
        for (Duration bad : List.of(Duration.ZERO, Duration.ofDays(40_000), Duration.ofMillis(-1))) {
            assertThatThrownBy(() -> spec.segmentAge(bad))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("segmentAge")
                    .hasMessageContaining(bad.toString());
        }
    }

    private static void assertTimes(Partition partition, List<Long> times) {
        for (long moment = -1; moment < 700; moment += 13) {
            long wanted = moment;
            int expected = IntStream.range(0, times.size())
                    .filter(i -> times.get(i) >= wanted)
                    .findFirst()
                    .orElse(times.size());
            assertThat(partition.offsetAt(Instant.ofEpochMilli(moment)).block(Logs.WAIT))
                    .as("moment %d of %s", moment, times)
                    .isEqualTo(expected);
        }
    }

    /** Record i is appended at 10 i. */
    private void fill(Topic topic, int count) {
        for (int i = 0; i < count; i++) {
            Logs.append(topic, padded(i));
            clock.advanceTimeBy(Duration.ofMillis(10));
        }
    }

    private static AppendRecord padded(int i) {
        return AppendRecord.to(0, Logs.bytes("k" + i), new byte[PADDING]);
    }

    private static void assertFoundAround(Partition partition, int base, int end) {
        for (int offset = base - 2; offset < Math.min(base + 60, end); offset += 7) {
            assertLookUp(partition, offset);
        }
    }

    private static void assertLookUps(Partition partition, int end, int step) {
        for (int offset = 0; offset < end; offset += step) {
            assertLookUp(partition, offset);
        }
    }

    private static void assertLookUp(Partition partition, int offset) {
        assertThat(partition.readTo(offset, offset + 1).blockLast(Logs.WAIT).offset())
                .isEqualTo(offset);
        for (int late = 0; late < 10; late += 9) {
            LogRecord first = partition
                    .readFrom(Instant.ofEpochMilli(10L * offset - late))
                    .blockFirst(Logs.WAIT);
            assertThat(first.offset()).isEqualTo(offset);
        }
    }

    private Path file(long base, String suffix) {
        return Logs.partitionDirectory(directory).resolve(String.format("%020d%s", base, suffix));
    }

    private List<Long> bases() {
        return Logs.segmentBases(directory);
    }
}
