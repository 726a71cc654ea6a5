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
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

class RecoveryTest {

    @TempDir
    Path directory;

    @TempDir
    Path live;

    private final LogSpec spec = LogSpec.defaults().storage(FaultStorage.fast());
    private final LogSpec small = spec.segmentBytes(1024);

    /** C80: every complete record before the cut is read. */
    @Test
    void aTailCutAtEveryByteOfTheLastThreeBatchesLeavesThePrefix() throws Exception {
        LogImage image = crashed(spec, 10);
        byte[] whole = image.bytes(LogImage.segment(0));
        int[] starts = batchStarts(whole);
        int cases = 0;
        for (int length = starts[7]; length < whole.length; length++) {
            image.with(LogImage.segment(0), Arrays.copyOf(whole, length)).writeTo(directory);
            int left = batchAt(starts, length);
            try (EventLog log = Logs.open(directory, spec)) {
                Partition partition = Logs.partition(log);
                assertThat(partition.tornBytes()).isEqualTo(length - starts[left]);
                assertThat(partition.damage()).isEmpty();
                assertThat(Files.size(Logs.segment(directory, 0))).isEqualTo(starts[left]);
                assertThat(Logs.values(Logs.readAll(partition))).isEqualTo(Logs.expectedValues(0, left));
                Logs.appendEach(log.topic(Logs.TOPIC), left, 10);
                assertThat(Logs.values(Logs.readAll(partition))).isEqualTo(Logs.expectedValues(0, 10));
            }
            cases++;
        }
        System.out.println("tails cut: " + cases + " cases");
    }

    @Test
    void everyFlippedBitOfTheLastThreeBatchesGivesAPrefixOrTheExactError() throws Exception {
        LogImage image = crashed(spec, 10);
        byte[] whole = image.bytes(LogImage.segment(0));
        int[] starts = batchStarts(whole);
        int cases = 0;
        for (int at = starts[7]; at < whole.length; at++) {
            for (int bit = Logs.thorough() ? 0 : at % 3; bit < 8; bit += Logs.thorough() ? 1 : 3) {
                byte[] flipped = whole.clone();
                flipped[at] ^= (byte) (1 << bit);
                image.with(LogImage.segment(0), flipped).writeTo(directory);
                int hit = batchAt(starts, at);
                try (EventLog log = Logs.open(directory, spec)) {
                    Partition partition = Logs.partition(log);
                    if (isHint(at - starts[hit])) {
                        // The unforced distance is a hint outside the checksum: flipping it harms nothing.
                        assertThat(Logs.values(Logs.readAll(partition))).isEqualTo(Logs.expectedValues(0, 10));
                    } else if (hit == 9) {
                        assertThat(Logs.values(Logs.readAll(partition))).isEqualTo(Logs.expectedValues(0, 9));
                        assertThat(partition.tornBytes()).isEqualTo(whole.length - starts[9]);
                    } else {
                        // The next batch proves that it had been forced.
                        assertDamage(partition.damage().orElseThrow(), RecordLayout.segmentName(0), hit, hit + 1);
                        assertReadsAround(partition, hit, hit + 1, 10);
                    }
                }
                cases++;
            }
        }
        System.out.println("bits flipped: " + cases + " cases");
    }

    @Test
    void zerosAfterTheEndAreATornTail() throws Exception {
        LogImage image = crashed(spec, 10);
        byte[] whole = image.bytes(LogImage.segment(0));
        image.with(LogImage.segment(0), Arrays.copyOf(whole, whole.length + 4096))
                .writeTo(directory);
        try (EventLog log = Logs.open(directory)) {
            assertThat(Logs.partition(log).tornBytes()).isEqualTo(4096);
            assertThat(Logs.values(Logs.readAll(Logs.partition(log)))).isEqualTo(Logs.expectedValues(0, 10));
        }
    }

    /** C80: a whole record with a wrong checksum is no torn tail. */
    @Test
    void damageToAForcedBatchOfTheLastSegmentIsReportedNotCut() throws Exception {
        LogImage image = crashed(spec, 10);
        byte[] whole = image.bytes(LogImage.segment(0));
        damaged(image, 4).writeTo(directory);
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
        LogSpec batches = spec.readBufferBytes(512);
        LogImage image;
        try (EventLog log = Logs.open(live, batches)) {
            Topic topic = Logs.topic(log);
            Logs.appendEach(topic, 0, 3);
            topic.append(IntStream.range(3, 200).mapToObj(Logs::record).toList())
                    .block(Logs.WAIT);
            image = LogImage.of(live);
        }
        byte[] whole = image.bytes(LogImage.segment(0));
        int[] starts = batchStarts(whole);
        assertThat(starts.length).as("the group has several batches").isGreaterThan(6);
        damaged(image, 4).writeTo(directory);
        long base = ByteBuffer.wrap(whole).getLong(starts[4]);
        try (EventLog log = Logs.open(directory, batches)) {
            Partition partition = Logs.partition(log);
            assertThat(partition.endOffset()).isEqualTo(base);
            assertThat(partition.tornBytes()).isEqualTo(whole.length - starts[4]);
            assertThat(partition.damage()).isEmpty();
            assertThat(Logs.values(Logs.readAll(partition))).isEqualTo(Logs.expectedValues(0, (int) base));
        }
    }

    /** C82: damage inside a sealed segment hides nothing behind it. */
    @Test
    void damageInASealedSegmentIsReportedWithSegmentOffsetAndLostRange() throws Exception {
        LogImage image = crashed(small, 30);
        List<Long> bases = Logs.segmentBases(live);
        assertThat(bases.size()).isGreaterThanOrEqualTo(3);
        String second = LogImage.segment(bases.get(1));
        byte[] whole = image.bytes(second);
        int[] starts = batchStarts(whole);
        int cases = 0;
        for (int at = 0; at < whole.length; at += 3) {
            byte[] flipped = whole.clone();
            flipped[at] ^= 0x10;
            image.with(second, flipped).writeTo(directory);
            int hit = batchAt(starts, at);
            try (EventLog log = Logs.open(directory, small)) {
                Partition partition = Logs.partition(log);
                assertThat(partition.endOffset()).isEqualTo(30);
                List<CorruptSegmentException> found =
                        partition.verify().collectList().block(Logs.WAIT);
                if (isHint(at - starts[hit])) {
                    assertThat(found).isEmpty();
                } else {
                    long lost = bases.get(1) + hit;
                    assertThat(found).hasSize(1);
                    assertDamage(found.get(0), RecordLayout.segmentName(bases.get(1)), lost, lost + 1);
                    assertReadsAround(partition, lost, lost + 1, 30);
                }
            }
            cases++;
        }
        System.out.println("sealed bytes flipped: " + cases + " cases");
    }

    @Test
    void aShortenedOrMissingSealedSegmentIsReported() throws Exception {
        LogImage image = crashed(small, 30);
        List<Long> bases = Logs.segmentBases(live);
        String second = LogImage.segment(bases.get(1));
        byte[] whole = image.bytes(second);
        int[] starts = batchStarts(whole);
        image.with(second, Arrays.copyOf(whole, starts[2] + 5)).writeTo(directory);
        try (EventLog log = Logs.open(directory, small)) {
            Partition partition = Logs.partition(log);
            long lost = bases.get(1) + 2;
            assertDamage(
                    partition.verify().blockLast(Logs.WAIT),
                    RecordLayout.segmentName(bases.get(1)),
                    lost,
                    bases.get(2));
            assertReadsAround(partition, lost, bases.get(2), 30);
        }
        for (LogImage without : List.of(image.without(second), image.with(second, new byte[0]))) {
            without.writeTo(directory);
            try (EventLog log = Logs.open(directory, small)) {
                Partition partition = Logs.partition(log);
                assertReadsAround(partition, bases.get(1), bases.get(2), 30);
                assertThat(partition.verify().collectList().block(Logs.WAIT)).hasSize(1);
            }
        }
    }

    /** A batch's own offset is not under its checksum; behind damage nothing else says where it belongs. */
    @Test
    void aBatchBehindDamageWhoseOffsetDoesNotFitWhatFollowsIsNotBelieved() throws Exception {
        LogImage image = crashed(small, 30);
        List<Long> bases = Logs.segmentBases(live);
        String second = LogImage.segment(bases.get(1));
        int[] starts = batchStarts(image.bytes(second));
        for (int wrong = -1; wrong <= 5; wrong++) {
            byte[] bytes = image.bytes(second);
            bytes[starts[2] + 70] ^= 1;
            ByteBuffer.wrap(bytes).putLong(starts[3], bases.get(1) + 3 + wrong);
            image.with(second, bytes).writeTo(directory);
            try (EventLog log = Logs.open(directory, small)) {
                long lost = bases.get(1) + 2;
                assertReadsAround(Logs.partition(log), lost, lost + (wrong == 0 ? 1 : 2), 30);
            }
        }
    }

    @Test
    void aDamagedPartitionTakesAppendsButNoSequencesThatItCannotJudge() throws Exception {
        damaged(crashed(spec, 10), 4).writeTo(directory);
        for (int i = 0; i < 2; i++) {
            // Neither does it forget, by being closed in order, that there is something it does not know.
            try (EventLog log = Logs.open(directory)) {
                Topic topic = Logs.topic(log);
                assertThat(Logs.append(topic, Logs.record(10))).containsExactly(new AppendResult(0, 10 + i, false));
                assertThatThrownBy(() -> Logs.append(topic, Logs.record("p", 1)))
                        .isInstanceOf(CorruptSegmentException.class);
                assertThat(topic.partition(0).endOffset()).isEqualTo(11 + i);
            }
        }
    }

    @Test
    void aRunEndsBeforeDamageAndTheErrorFollows() throws Exception {
        damaged(crashed(spec, 10), 4).writeTo(directory);
        try (EventLog log = Logs.open(directory)) {
            StepVerifier.create(Logs.partition(log)
                            .readRuns(0, 256, Schedulers.boundedElastic())
                            .map(Logs::values))
                    .expectNext(Logs.expectedValues(0, 4))
                    .expectError(CorruptSegmentException.class)
                    .verify(Logs.WAIT);
        }
    }

    /** Half of a roll: the new segment is there but empty, or not even that; index and temporary files lie about. */
    @Test
    void halfMadeFilesAreSweptAndAnEmptySegmentIsTheEnd() throws Exception {
        LogImage image = crashed(spec, 10);
        image.with(LogImage.segment(10), new byte[0])
                .with(LogImage.segment(10) + ".tmp", new byte[7])
                .with(LogImage.SEGMENT + "00000000000000000010.index", new byte[3])
                .with(LogImage.SEGMENT + "00000000000000000077.timeindex", new byte[5])
                .with(LogImage.SEGMENT + "00000000000000000099.snapshot", new byte[9])
                .writeTo(directory);
        try (EventLog log = Logs.open(directory)) {
            Topic topic = Logs.topic(log);
            assertThat(Logs.values(Logs.readAll(topic.partition(0)))).isEqualTo(Logs.expectedValues(0, 10));
            assertThat(names())
                    .containsExactlyInAnyOrder(
                            RecordLayout.segmentName(0), RecordLayout.segmentName(10), "00000000000000000010.index");
            Logs.appendEach(topic, 10, 12);
        }
        try (EventLog log = Logs.open(directory)) {
            assertThat(Logs.values(Logs.readAll(Logs.partition(log)))).isEqualTo(Logs.expectedValues(0, 12));
        }
    }

    /** C83: no checksum means that there is no batch. */
    @Test
    void aBatchWhoseChecksumIsZeroIsAsGoodAsAny() throws Exception {
        LogImage image = crashed(spec, 3);
        byte[] whole = image.bytes(LogImage.segment(0));
        byte[] zero = withZeroChecksum(Arrays.copyOfRange(whole, batchStarts(whole)[2], whole.length));
        byte[] content = whole.clone();
        System.arraycopy(zero, 0, content, batchStarts(whole)[2], zero.length);
        image.with(LogImage.segment(0), content).writeTo(directory);
        try (EventLog log = Logs.open(directory)) {
            assertThat(Logs.partition(log).tornBytes()).isZero();
            assertThat(Logs.partition(log).endOffset()).isEqualTo(3);
            assertThat(Logs.readAll(Logs.partition(log))).hasSize(3);
            assertThat(Logs.partition(log).verify().collectList().block(Logs.WAIT))
                    .isEmpty();
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
        Files.delete(Logs.metadataFile(directory));
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
        Files.writeString(Logs.metadataFile(directory), "format=9\npartitions=1\n");
        assertThatThrownBy(() -> Logs.open(directory)).hasMessageContaining("format 9");
        Files.writeString(Logs.metadataFile(directory), "nonsense");
        assertThatThrownBy(() -> Logs.open(directory)).hasMessageContaining(Logs.TOPIC + LogLayout.METADATA_SUFFIX);
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files).isNotEmpty();
        }
    }

    /** What a crash leaves after so many appends, each of them forced. */
    private LogImage crashed(LogSpec with, int count) {
        try (EventLog log = Logs.open(live, with)) {
            Logs.appendEach(Logs.topic(log), 0, count);
            return LogImage.of(live);
        }
    }

    /** One bit is wrong in a batch of the first segment. */
    private static LogImage damaged(LogImage image, int batch) {
        byte[] whole = image.bytes(LogImage.segment(0));
        whole[batchStarts(whole)[batch] + 70] ^= 1;
        return image.with(LogImage.segment(0), whole);
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(Logs.partitionDirectory(directory))) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> !name.endsWith(".timeindex"))
                    .toList();
        }
    }

    /** Changes the timestamps, which mean nothing to this test, until the checksum is 0: it is linear in their bits. */
    private static byte[] withZeroChecksum(byte[] batch) {
        byte[] result = batch.clone();
        long target = crcOf(result);
        // Each column: what flipping one of 64 bits of the base timestamp, unused with append times, does to the
        // checksum.
        long[] columns = new long[64];
        for (int bit = 0; bit < 64; bit++) {
            byte[] flipped = result.clone();
            flipped[RecordLayout.BASE_TIMESTAMP + bit / 8] ^= (byte) (1 << bit % 8);
            columns[bit] = crcOf(flipped) ^ target;
        }
        long chosen = solve(columns, target);
        for (int bit = 0; bit < 64; bit++) {
            if ((chosen >>> bit & 1) != 0) {
                result[RecordLayout.BASE_TIMESTAMP + bit / 8] ^= (byte) (1 << bit % 8);
            }
        }
        assertThat(crcOf(result)).isZero();
        ByteBuffer.wrap(result).putInt(RecordLayout.CRC, 0);
        return result;
    }

    /** Which of the columns add up, bit by bit, to the target. */
    private static long solve(long[] columns, long target) {
        long[] basis = new long[32];
        long[] made = new long[32];
        for (int i = 0; i < columns.length; i++) {
            long value = columns[i];
            long from = 1L << i;
            for (int bit = 31; bit >= 0 && value != 0; bit--) {
                if ((value >>> bit & 1) == 0) {
                    continue;
                }
                if (basis[bit] == 0) {
                    basis[bit] = value;
                    made[bit] = from;
                    break;
                }
                value ^= basis[bit];
                from ^= made[bit];
            }
        }
        long rest = target;
        long chosen = 0;
        for (int bit = 31; bit >= 0; bit--) {
            if ((rest >>> bit & 1) != 0) {
                rest ^= basis[bit];
                chosen ^= made[bit];
            }
        }
        return chosen;
    }

    private static long crcOf(byte[] batch) {
        CRC32C crc = new CRC32C();
        crc.update(batch, RecordLayout.ATTRIBUTES, batch.length - RecordLayout.ATTRIBUTES);
        return crc.getValue();
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

    /** The batch that holds a byte. */
    private static int batchAt(int[] starts, int at) {
        int i = Arrays.binarySearch(starts, at);
        return i < 0 ? -i - 2 : i;
    }

    private static boolean isHint(int inBatch) {
        return inBatch >= RecordLayout.UNFORCED_DISTANCE && inBatch < RecordLayout.MAGIC;
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
