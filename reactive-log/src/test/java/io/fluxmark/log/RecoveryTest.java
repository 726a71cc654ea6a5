package io.fluxmark.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

class RecoveryTest {

    @TempDir
    Path directory;

    @Test
    void aTailCutAtEveryByteLosesOnlyTheLastBatch() throws Exception {
        byte[] whole = tenBatches();
        int lastBatch = lastBatchStart(whole);
        int cases = 0;
        for (int length = lastBatch; length < whole.length; length++) {
            Files.write(Logs.segment(directory, 0), Arrays.copyOf(whole, length));
            try (EventLog log = Logs.open(directory)) {
                Partition partition = Logs.partition(log);
                assertThat(partition.tornBytes()).isEqualTo(length - lastBatch);
                assertThat(partition.damage()).isEmpty();
                assertThat(Files.size(Logs.segment(directory, 0))).isEqualTo(lastBatch);
                assertThat(Logs.values(Logs.readAll(partition))).isEqualTo(Logs.expectedValues(0, 9));
                Logs.append(log.topic(Logs.TOPIC), Logs.record(9));
                assertThat(Logs.values(Logs.readAll(partition))).isEqualTo(Logs.expectedValues(0, 10));
            }
            cases++;
        }
        System.out.println("tails cut: " + cases + " cases");
    }

    @Test
    void everyFlippedByteOfTheLastBatchGivesAPrefixNeverGarbage() throws Exception {
        byte[] whole = tenBatches();
        int lastBatch = lastBatchStart(whole);
        int cases = 0;
        for (int at = lastBatch; at < whole.length; at++) {
            for (int mask : new int[] {0x01, 0x80, 0xff}) {
                byte[] flipped = whole.clone();
                flipped[at] ^= (byte) mask;
                Files.write(Logs.segment(directory, 0), flipped);
                try (EventLog log = Logs.open(directory)) {
                    Partition partition = Logs.partition(log);
                    List<String> values = Logs.values(Logs.readAll(partition));
                    // The unforced distance is a hint outside the checksum: flipping it harms nothing.
                    boolean hint = at - lastBatch >= 12 && at - lastBatch < 16;
                    assertThat(values).isEqualTo(Logs.expectedValues(0, hint ? 10 : 9));
                    assertThat(partition.tornBytes()).isEqualTo(hint ? 0 : whole.length - lastBatch);
                }
                cases++;
            }
        }
        System.out.println("bytes flipped: " + cases + " cases");
    }

    @Test
    void zerosAfterTheEndAreATornTail() throws Exception {
        byte[] whole = tenBatches();
        Files.write(Logs.segment(directory, 0), Arrays.copyOf(whole, whole.length + 4096));
        try (EventLog log = Logs.open(directory)) {
            assertThat(Logs.partition(log).tornBytes()).isEqualTo(4096);
            assertThat(Logs.values(Logs.readAll(Logs.partition(log)))).isEqualTo(Logs.expectedValues(0, 10));
        }
    }

    @Test
    void damageToAForcedBatchOfTheLastSegmentIsReportedNotCut() throws Exception {
        byte[] whole = tenBatches();
        int[] starts = batchStarts(whole);
        whole[starts[4] + 70] ^= 1;
        Files.write(Logs.segment(directory, 0), whole);
        try (EventLog log = Logs.open(directory)) {
            Partition partition = Logs.partition(log);
            assertThat(partition.endOffset()).isEqualTo(10);
            assertThat(partition.tornBytes()).isZero();
            assertDamage(partition.damage().orElseThrow(), RecordLayout.segmentName(0), 4, 5);
            assertReadsAround(partition, 4, 5, 10);
        }
        assertThat(Files.size(Logs.segment(directory, 0))).isEqualTo(whole.length);
    }

    @Test
    void aHoleInAnUnforcedGroupIsATornTail() throws Exception {
        LogSpec spec = LogSpec.defaults().readBufferBytes(512);
        try (EventLog log = Logs.open(directory, spec)) {
            Topic topic = Logs.topic(log);
            Logs.appendEach(topic, 0, 3);
            topic.append(IntStream.range(3, 200).mapToObj(Logs::record).toList())
                    .block(Logs.WAIT);
        }
        byte[] whole = Files.readAllBytes(Logs.segment(directory, 0));
        int[] starts = batchStarts(whole);
        assertThat(starts.length).as("the group has several batches").isGreaterThan(6);
        whole[starts[4] + 70] ^= 1;
        Files.write(Logs.segment(directory, 0), whole);
        long base = ByteBuffer.wrap(whole).getLong(starts[4]);
        try (EventLog log = Logs.open(directory, spec)) {
            Partition partition = Logs.partition(log);
            assertThat(partition.endOffset()).isEqualTo(base);
            assertThat(partition.tornBytes()).isEqualTo(whole.length - starts[4]);
            assertThat(partition.damage()).isEmpty();
            assertThat(Logs.values(Logs.readAll(partition))).isEqualTo(Logs.expectedValues(0, (int) base));
        }
    }

    @Test
    void damageInASealedSegmentIsReportedWithSegmentOffsetAndLostRange() throws Exception {
        LogSpec spec = LogSpec.defaults().segmentBytes(1024);
        try (EventLog log = Logs.open(directory, spec)) {
            Logs.appendEach(Logs.topic(log), 0, 30);
        }
        List<Long> bases = segmentBases();
        assertThat(bases.size()).isGreaterThanOrEqualTo(3);
        Path second = Logs.segment(directory, bases.get(1));
        byte[] whole = Files.readAllBytes(second);
        int cases = 0;
        for (int at = 0; at < whole.length; at += 3) {
            byte[] flipped = whole.clone();
            flipped[at] ^= 0x10;
            Files.write(second, flipped);
            int[] starts = batchStarts(whole);
            int hit = IntStream.range(0, starts.length)
                    .filter(isBatchOf(starts, at))
                    .max()
                    .orElseThrow();
            boolean hint = at - starts[hit] >= 12 && at - starts[hit] < 16;
            try (EventLog log = Logs.open(directory, spec)) {
                Partition partition = Logs.partition(log);
                assertThat(partition.endOffset()).isEqualTo(30);
                if (hint) {
                    assertThat(partition.damage()).isEmpty();
                } else {
                    long lost = bases.get(1) + hit;
                    assertDamage(
                            partition.damage().orElseThrow(), String.valueOf(second.getFileName()), lost, lost + 1);
                    assertReadsAround(partition, lost, lost + 1, 30);
                }
            }
            cases++;
        }
        System.out.println("sealed bytes flipped: " + cases + " cases");
    }

    @Test
    void aShortenedOrMissingSealedSegmentIsReported() throws Exception {
        LogSpec spec = LogSpec.defaults().segmentBytes(1024);
        try (EventLog log = Logs.open(directory, spec)) {
            Logs.appendEach(Logs.topic(log), 0, 30);
        }
        List<Long> bases = segmentBases();
        Path second = Logs.segment(directory, bases.get(1));
        byte[] whole = Files.readAllBytes(second);
        int[] starts = batchStarts(whole);
        Files.write(second, Arrays.copyOf(whole, starts[2] + 5));
        try (EventLog log = Logs.open(directory, spec)) {
            Partition partition = Logs.partition(log);
            long lost = bases.get(1) + 2;
            assertDamage(partition.damage().orElseThrow(), String.valueOf(second.getFileName()), lost, bases.get(2));
            assertReadsAround(partition, lost, bases.get(2), 30);
        }
        Files.delete(second);
        try (EventLog log = Logs.open(directory, spec)) {
            Partition partition = Logs.partition(log);
            assertReadsAround(partition, bases.get(1), bases.get(2), 30);
            assertThat(partition.damage()).isPresent();
        }
    }

    @Test
    void aDamagedPartitionTakesAppendsButNoSequencesThatItCannotJudge() throws Exception {
        byte[] whole = tenBatches();
        whole[batchStarts(whole)[4] + 70] ^= 1;
        Files.write(Logs.segment(directory, 0), whole);
        try (EventLog log = Logs.open(directory)) {
            Topic topic = Logs.topic(log);
            assertThat(Logs.append(topic, Logs.record(10))).containsExactly(new AppendResult(0, 10, false));
            assertThatThrownBy(() -> Logs.append(topic, Logs.record("p", 1)))
                    .isInstanceOf(CorruptSegmentException.class);
            assertThat(topic.partition(0).endOffset()).isEqualTo(11);
        }
    }

    @Test
    void aRunEndsBeforeDamageAndTheErrorFollows() throws Exception {
        byte[] whole = tenBatches();
        whole[batchStarts(whole)[4] + 70] ^= 1;
        Files.write(Logs.segment(directory, 0), whole);
        try (EventLog log = Logs.open(directory)) {
            StepVerifier.create(Logs.partition(log)
                            .readRuns(0, 256, Schedulers.boundedElastic())
                            .map(Logs::values))
                    .expectNext(Logs.expectedValues(0, 4))
                    .expectError(CorruptSegmentException.class)
                    .verify(Logs.WAIT);
        }
    }

    @Test
    void damageThatAppearsWhileOpenStopsTheReaderAtIt() throws Exception {
        try (EventLog log = Logs.open(directory)) {
            Topic topic = Logs.topic(log);
            Logs.appendEach(topic, 0, 10);
            byte[] whole = Files.readAllBytes(Logs.segment(directory, 0));
            whole[batchStarts(whole)[6] + 65] ^= 2;
            Files.write(Logs.segment(directory, 0), whole);
            assertReadsAround(topic.partition(0), 6, 7, 10);
        }
    }

    @Test
    void aTopicWithoutMetadataIsAnUnfinishedCreation() throws Exception {
        try (EventLog log = Logs.open(directory)) {
            Logs.topic(log);
        }
        Files.delete(directory.resolve("topics").resolve(Logs.TOPIC).resolve(TopicMetadata.FILE));
        try (EventLog log = Logs.open(directory)) {
            assertThat(log.topics()).isEmpty();
            assertThat(log.createTopic(Logs.TOPIC, 2).block(Logs.WAIT).partitionCount())
                    .isEqualTo(2);
        }
    }

    @Test
    void damagedMetadataIsAnErrorThatNamesTheFile() throws Exception {
        try (EventLog log = Logs.open(directory)) {
            Logs.topic(log);
        }
        Files.writeString(
                directory.resolve("topics").resolve(Logs.TOPIC).resolve(TopicMetadata.FILE),
                "format=9\npartitions=1\n");
        assertThatThrownBy(() -> Logs.open(directory)).hasMessageContaining("format 9");
        Files.writeString(directory.resolve("topics").resolve(Logs.TOPIC).resolve(TopicMetadata.FILE), "nonsense");
        assertThatThrownBy(() -> Logs.open(directory)).hasMessageContaining(TopicMetadata.FILE);
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files).isNotEmpty();
        }
    }

    private byte[] tenBatches() throws IOException {
        try (EventLog log = Logs.open(directory)) {
            Logs.appendEach(Logs.topic(log), 0, 10);
        }
        return Files.readAllBytes(Logs.segment(directory, 0));
    }

    private List<Long> segmentBases() throws IOException {
        try (Stream<Path> files = Files.list(Logs.partitionDirectory(directory))) {
            return files.map(file -> RecordLayout.baseOffsetOf(String.valueOf(file.getFileName())))
                    .sorted()
                    .toList();
        }
    }

    private static void assertDamage(CorruptSegmentException damage, String segment, long offset, long until) {
        assertThat(damage.segment()).isEqualTo(segment);
        assertThat(damage.offset()).isEqualTo(offset);
        assertThat(damage.lostUntil()).isEqualTo(until);
        assertThat(damage).hasMessageContaining(segment).hasMessageContaining("[" + offset + ", " + until + ")");
    }

    /** Everything before the damage, then an error; and everything after it for whoever asks for that. */
    private static void assertReadsAround(Partition partition, long lost, long until, int end) {
        List<LogRecord> before = new ArrayList<>();
        assertThatThrownBy(() -> partition.readTo(0, end).doOnNext(before::add).blockLast(Logs.WAIT))
                .isInstanceOfSatisfying(CorruptSegmentException.class, e -> {
                    assertThat(e.offset()).isEqualTo(lost);
                    assertThat(e.lostUntil()).isEqualTo(until);
                });
        assertThat(Logs.values(before)).isEqualTo(Logs.expectedValues(0, (int) lost));
        assertThat(Logs.values(partition.readTo(until, end).collectList().block(Logs.WAIT)))
                .isEqualTo(Logs.expectedValues((int) until, end));
    }

    private static IntPredicate isBatchOf(int[] starts, int at) {
        return i -> starts[i] <= at;
    }

    private static int lastBatchStart(byte[] segment) {
        int[] starts = batchStarts(segment);
        return starts[starts.length - 1];
    }

    private static int[] batchStarts(byte[] segment) {
        ByteBuffer bytes = ByteBuffer.wrap(segment);
        return IntStream.iterate(
                        0,
                        at -> at < segment.length,
                        at -> at + bytes.getInt(at + RecordLayout.BATCH_LENGTH) + RecordLayout.LENGTH_OVERHEAD)
                .toArray();
    }
}
