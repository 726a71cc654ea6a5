package io.fluxmark.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A log that was closed in order is opened without being read, and is believed only as far as it is what was closed. */
class CleanShutdownTest {

    @TempDir
    Path directory;

    private final FaultStorage storage = FaultStorage.fast();
    private final LogSpec spec = LogSpec.defaults().storage(storage).segmentBytes(32 << 10);

    @Test
    void nothingOfTheRecordsIsReadAndEverythingIsKnown() {
        LogImage image = closed(100);
        assertThat(Logs.segmentBases(directory).size()).isGreaterThanOrEqualTo(100);
        long whole = image.names().stream()
                .filter(name -> name.endsWith(".log"))
                .mapToLong(name -> image.bytes(name).length)
                .sum();
        Map<String, Long> read = new TreeMap<>();
        storage.onRead = file -> read.merge(String.valueOf(file.getFileName()), 1L, Long::sum);
        long before = storage.bytesRead.get();
        try (EventLog log = Logs.open(directory, spec)) {
            Partition partition = Logs.partition(log);
            String last = RecordLayout.segmentName(Logs.segmentBases(directory)
                    .get(Logs.segmentBases(directory).size() - 1));
            assertThat(read.keySet().stream().filter(name -> name.endsWith(".log")))
                    .as("segments of which anything is read: the end of the last one")
                    .containsAnyOf(last)
                    .hasSizeLessThanOrEqualTo(1);
            assertThat(storage.bytesRead.get() - before).isLessThan(whole / 20);
            assertThat(partition.tornBytes()).isZero();
            assertThat(partition.highestSequence("p")).hasValue(partition.endOffset() - 1);
            assertThat(Logs.append(Logs.topic(log), padded(0), padded(partition.endOffset() - 1)))
                    .containsExactly(
                            new AppendResult(0, 0, true), new AppendResult(0, partition.endOffset() - 1, true));
        }
    }

    @Test
    void tenGigabytesInAHundredSegmentsAreOpenedInLessThanASecond() throws Exception {
        closed(100);
        List<Long> bases = Logs.segmentBases(directory);
        for (long base : bases.subList(0, bases.size() - 1)) {
            // Holes take no room on the disk; nobody looks into a sealed segment.
            try (FileChannel file = FileChannel.open(Logs.segment(directory, base), StandardOpenOption.WRITE)) {
                file.write(ByteBuffer.allocate(1), (100 << 20) - 1);
            }
        }
        long began = System.nanoTime();
        try (EventLog log = Logs.open(directory, spec)) {
            Duration took = Duration.ofNanos(System.nanoTime() - began);
            System.out.println("opened " + bases.size() + " segments of 100 MiB in " + took.toMillis() + " ms");
            assertThat(took).isLessThan(Duration.ofSeconds(1));
            assertThat(Logs.append(Logs.topic(log), Logs.record(0))).hasSize(1);
        }
    }

    @Test
    void theMarkerIsGoneWhileTheLogIsOpenAndACrashOnlyReadsTheLastSegment() throws Exception {
        LogImage crashed;
        closed(5);
        assertThat(directory.resolve(LogCheckpoints.CLEAN)).exists();
        try (EventLog log = Logs.open(directory, spec)) {
            assertThat(log.topics()).hasSize(1);
            assertThat(directory.resolve(LogCheckpoints.CLEAN)).doesNotExist();
            crashed = LogImage.of(directory);
        }
        assertThat(directory.resolve(LogCheckpoints.CLEAN)).exists();
        crashed.writeTo(directory);
        Map<String, Long> read = new TreeMap<>();
        storage.onRead = file -> read.merge(String.valueOf(file.getFileName()), 1L, Long::sum);
        List<Long> bases = Logs.segmentBases(directory);
        try (EventLog log = Logs.open(directory, spec)) {
            assertThat(read.keySet().stream().filter(name -> name.endsWith(".log")))
                    .containsExactly(RecordLayout.segmentName(bases.get(bases.size() - 1)));
            Partition partition = Logs.partition(log);
            assertThat(partition.highestSequence("p")).hasValue(partition.endOffset() - 1);
        }
    }

    @Test
    void whatIsMissingAtTheEndOfAClosedLogIsDamageNotATornTail() throws Exception {
        LogImage image = closed(3);
        List<Long> bases = Logs.segmentBases(directory);
        long last = bases.get(bases.size() - 1);
        byte[] whole = image.bytes(LogImage.segment(last));
        long end;
        try (EventLog log = Logs.open(directory, spec)) {
            end = Logs.partition(log).endOffset();
        }
        assertThat(end).isGreaterThan(last);
        for (LogImage shorter : List.of(
                image.with(LogImage.segment(last), Arrays.copyOf(whole, whole.length - 1)),
                image.with(LogImage.segment(last), new byte[0]),
                image.without(LogImage.segment(last)))) {
            shorter.writeTo(directory);
            for (int opening = 0; opening < 2; opening++) {
                try (EventLog log = Logs.open(directory, spec)) {
                    Partition partition = Logs.partition(log);
                    assertThat(partition.tornBytes()).isZero();
                    assertThat(partition.endOffset())
                            .as("its offsets are not given again")
                            .isEqualTo(end + opening);
                    List<CorruptSegmentException> damage =
                            partition.verify().collectList().block(Logs.WAIT);
                    assertThat(damage).hasSize(1);
                    assertThat(damage.get(0).lostUntil()).isEqualTo(end);
                    assertThatThrownBy(() -> Logs.readAll(partition)).isInstanceOf(CorruptSegmentException.class);
                    // The snapshot knows of the sequences although the records are lost.
                    assertThat(Logs.append(Logs.topic(log), padded(end - 1)))
                            .containsExactly(new AppendResult(0, end - 1, true));
                    assertThat(Logs.append(Logs.topic(log), Logs.record(1)))
                            .containsExactly(new AppendResult(0, end + opening, false));
                }
            }
        }
    }

    @Test
    void aDamagedMarkerCheckpointOrSnapshotCostsTimeOnly() {
        LogImage image = closed(3);
        List<LogRecord> all;
        try (EventLog log = Logs.open(directory, spec)) {
            all = Logs.readAll(Logs.partition(log));
        }
        int cases = 0;
        for (String name : image.names()) {
            if (name.endsWith(".log") || name.endsWith(LogLayout.METADATA_SUFFIX)) {
                continue;
            }
            byte[] bytes = image.bytes(name);
            for (int at = 0; at < bytes.length; at += Math.max(1, bytes.length / 10)) {
                byte[] flipped = bytes.clone();
                flipped[at] ^= 4;
                for (LogImage damaged : List.of(
                        image.with(name, flipped), image.with(name, Arrays.copyOf(bytes, at)), image.without(name))) {
                    damaged.writeTo(directory);
                    try (EventLog log = Logs.open(directory, spec)) {
                        Partition partition = Logs.partition(log);
                        assertThat(Logs.readAll(partition))
                                .as("%s at %d", name, at)
                                .isEqualTo(all);
                        assertThat(partition.damage()).isEmpty();
                        assertThat(partition.highestSequence("p")).hasValue(partition.endOffset() - 1);
                    }
                    cases++;
                }
            }
        }
        System.out.println("checkpoints, snapshots and indexes damaged: " + cases + " cases");
    }

    @Test
    void producersThatDoNotFitMemoryAreKeptOverALongHistory() {
        int count = Logs.thorough() ? 300_000 : 30_000;
        LogSpec plain = LogSpec.defaults().durability(Durability.OS).segmentBytes(256 << 10);
        try (EventLog log = Logs.open(directory, plain)) {
            Topic topic = Logs.topic(log);
            for (int i = 0; i < count; i += 1000) {
                topic.append(IntStream.range(i, i + 1000)
                                .mapToObj(n -> Logs.record("p" + n % 3, n))
                                .toList())
                        .block(Logs.WAIT);
            }
        }
        try (EventLog log = Logs.open(directory, plain)) {
            Topic topic = Logs.topic(log);
            for (int n = 0; n < count; n += 997) {
                assertThat(Logs.append(topic, Logs.record("p" + n % 3, n)))
                        .containsExactly(new AppendResult(0, n, true));
            }
            assertThatThrownBy(() -> Logs.append(topic, Logs.record("p0", 1)))
                    .isInstanceOf(OutOfOrderSequenceException.class);
        }
    }

    @Test
    void aLogOfBeforeTheseFilesIsReadAsAWholeOnce() throws Exception {
        LogImage image = closed(3);
        for (String name : image.names()) {
            if (!name.endsWith(".log") && !name.endsWith(LogLayout.METADATA_SUFFIX)) {
                image = image.without(name);
            }
        }
        image.with(Logs.TOPIC + LogLayout.METADATA_SUFFIX, Logs.bytes("format=1\npartitions=1\n"))
                .writeTo(directory);
        try (EventLog log = Logs.open(directory, spec)) {
            Partition partition = Logs.partition(log);
            assertThat(partition.highestSequence("p")).hasValue(partition.endOffset() - 1);
            assertThat(Logs.readAll(partition)).hasSize((int) partition.endOffset());
        }
        assertThat(Files.exists(directory.resolve(LogCheckpoints.CLEAN))).isTrue();
    }

    /** So many segments, every record with its offset as sequence. */
    private LogImage closed(int segments) {
        try (EventLog log = Logs.open(directory, spec)) {
            Topic topic = Logs.topic(log);
            Partition partition = topic.partition(0);
            while (Logs.segmentBases(directory).size() < segments) {
                long end = partition.endOffset();
                topic.append(IntStream.range(0, 25)
                                .mapToObj(i -> padded(end + i))
                                .toList())
                        .block(Logs.WAIT);
            }
        }
        return LogImage.of(directory);
    }

    private static AppendRecord padded(long sequence) {
        return AppendRecord.to(0, new byte[1000]).withSequence("p", sequence);
    }
}
