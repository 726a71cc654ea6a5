package io.fluxmark.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What reading a batch answers when its bytes are not the ones written: those before it, or an error, never anything else. */
class BatchDamageTest {

    private static final int RECORDS_PER_BATCH = 12;
    private static final int BATCHES = 3;

    @TempDir
    Path directory;

    @ParameterizedTest(name = "{displayName}: {0}")
    @EnumSource(Compression.class)
    void everyFlippedBitLosesItsBatchAndNothingBefore(Compression compression) throws Exception {
        byte[][] batches = batches(compression);
        byte[] whole = RawBatches.joined(batches);
        Path file = Files.write(directory.resolve("segment"), whole);
        int cases = 0;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            for (int bit = 0; bit < 8 * whole.length; bit++) {
                int at = bit / 8;
                int batch = 0;
                int inBatch = at;
                while (inBatch >= batches[batch].length) {
                    inBatch -= batches[batch].length;
                    batch++;
                }
                // The unforced distance is a hint outside the checksum: flipping it harms no record.
                boolean hint = inBatch >= RecordLayout.UNFORCED_DISTANCE && inBatch < RecordLayout.MAGIC;
                channel.write(ByteBuffer.wrap(new byte[] {(byte) (whole[at] ^ 1 << bit % 8)}), at);
                assertThat(readPrefix(file))
                        .as("bit %d", bit)
                        .isEqualTo(Logs.expectedValues(0, RECORDS_PER_BATCH * (hint ? BATCHES : batch)));
                channel.write(ByteBuffer.wrap(whole, at, 1), at);
                cases++;
            }
        }
        System.out.println("bits flipped, " + compression + ": " + cases + " cases");
    }

    @ParameterizedTest(name = "{displayName}: {0}")
    @EnumSource(Compression.class)
    void truncationAtEveryByteLeavesTheBatchesBefore(Compression compression) throws Exception {
        byte[][] batches = batches(compression);
        byte[] whole = RawBatches.joined(batches);
        Path file = directory.resolve("segment");
        for (int length = 0; length <= whole.length; length++) {
            int left = length;
            int complete = 0;
            while (complete < BATCHES && left >= batches[complete].length) {
                left -= batches[complete].length;
                complete++;
            }
            Files.write(file, Arrays.copyOf(whole, length));
            assertThat(readPrefix(file))
                    .as("%d bytes", length)
                    .isEqualTo(Logs.expectedValues(0, RECORDS_PER_BATCH * complete));
        }
        System.out.println("truncated, " + compression + ": " + (whole.length + 1) + " cases");
    }

    @ParameterizedTest(name = "{displayName}: {0}")
    @EnumSource(Compression.class)
    void aLogOpenedOnADamagedLastBatchHasThePrefixAndGoesOn(Compression compression) throws Exception {
        byte[][] batches = batches(compression);
        byte[] whole = RawBatches.joined(batches);
        int last = whole.length - batches[BATCHES - 1].length;
        List<String> prefix = Logs.expectedValues(0, RECORDS_PER_BATCH * (BATCHES - 1));
        LogSpec spec = LogSpec.defaults().compression(compression).durability(Durability.OS);
        LogImage image = RawBatches.emptyLog(directory);
        int step = Logs.thorough() ? 1 : 31;
        int cases = 0;
        for (int bit = 8 * last; bit < 8 * whole.length; bit += step) {
            byte[] flipped = whole.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            int inBatch = bit / 8 - last;
            boolean hint = inBatch >= RecordLayout.UNFORCED_DISTANCE && inBatch < RecordLayout.MAGIC;
            image.with(LogImage.segment(0), flipped).writeTo(directory);
            try (EventLog log = Logs.open(directory, spec)) {
                Partition partition = Logs.partition(log);
                assertThat(partition.tornBytes()).isEqualTo(hint ? 0 : whole.length - last);
                List<String> expected =
                        new ArrayList<>(hint ? Logs.expectedValues(0, RECORDS_PER_BATCH * BATCHES) : prefix);
                assertThat(Logs.values(Logs.readAll(partition))).isEqualTo(expected);
                Logs.append(log.topic(Logs.TOPIC), Logs.record(99));
                expected.add("value-99");
                assertThat(Logs.values(Logs.readAll(partition))).isEqualTo(expected);
            }
            cases++;
        }
        System.out.println("opened on flipped bits, " + compression + ": " + cases + " cases");
    }

    @ParameterizedTest(name = "{displayName}: {0}")
    @EnumSource(Compression.class)
    void recordsThatAreNonsenseUnderARightChecksumAreAnErrorNeverAnotherException(Compression compression)
            throws Exception {
        long seed = 42;
        Random random = new Random(seed);
        byte[] batch = batches(compression)[0];
        int cases = Logs.thorough() ? 200_000 : 3_000;
        int malformed = 0;
        for (int i = 0; i < cases; i++) {
            byte[] changed = batch.clone();
            for (int n = 1 + random.nextInt(4); n > 0; n--) {
                int at = RecordLayout.HEADER_BYTES + random.nextInt(batch.length - RecordLayout.HEADER_BYTES);
                changed[at] = (byte) random.nextInt();
            }
            try {
                BatchRecords records = BatchView.of(ByteBuffer.wrap(RawBatches.sealed(changed)))
                        .records();
                long before = -1;
                while (records.hasNext()) {
                    LogRecord record = records.next(0, 0);
                    assertThat(record.offset()).isBetween(before + 1, RECORDS_PER_BATCH - 1L);
                    before = record.offset();
                }
            } catch (MalformedBatchException e) {
                malformed++;
            }
        }
        System.out.println(
                "nonsense, " + compression + ": " + cases + " cases, " + malformed + " refused, seed " + seed);
        assertThat(malformed).isPositive();
    }

    @Test
    void recordsThatContradictTheBatchAreRefused() throws Exception {
        byte[] good = batches(Compression.NONE)[0];
        refused(good, RecordLayout.RECORD_COUNT + 3, 11, "follow the last record");
        refused(good, RecordLayout.RECORD_COUNT + 3, 13, "do not parse");
        refused(good, RecordLayout.RECORD_COUNT, -1, "cannot have the offsets");
        refused(good, RecordLayout.LAST_OFFSET_DELTA + 3, 10, "offset 11 follows 10");
        refused(good, RecordLayout.LAST_OFFSET_DELTA, -1, "cannot have the offsets");
        refused(good, RecordLayout.BASE_OFFSET, -1, "cannot have the offsets");
        int record = RecordLayout.HEADER_BYTES;
        refused(good, record, 1, "has -1 bytes");
        refused(good, record, 0x7e, "the record at offset 0 has a wrong length");
        refused(good, record + 3, 1, "offset -1 follows -1");
        refused(good, record + 4, 3, "a part of the record at offset 0 has -2 bytes");
        byte[] single = RawBatches.encoded(0, Compression.NONE, List.of(Logs.record(0)));
        refused(single, record, 0x7e, "a record of the batch at offset 0 has 63 bytes");
        refused(single, record + 4, 0x7e, "a part of the record at offset 0 has 63 bytes");
    }

    private static void refused(byte[] batch, int at, int value, String message) {
        byte[] changed = batch.clone();
        changed[at] = (byte) value;
        assertThatThrownBy(() -> {
                    BatchRecords records = BatchView.of(ByteBuffer.wrap(RawBatches.sealed(changed)))
                            .records();
                    while (records.hasNext()) {
                        records.next(0, 0);
                    }
                })
                .isInstanceOf(MalformedBatchException.class)
                .hasMessageContaining(message);
    }

    private static byte[][] batches(Compression compression) throws IOException {
        byte[][] batches = new byte[BATCHES][];
        for (int i = 0; i < BATCHES; i++) {
            int base = i * RECORDS_PER_BATCH;
            batches[i] = RawBatches.encoded(
                    base,
                    compression,
                    IntStream.range(base, base + RECORDS_PER_BATCH)
                            .mapToObj(Logs::record)
                            .toList());
            assertThat(BatchView.of(ByteBuffer.wrap(batches[i])).compression()).isEqualTo(compression);
        }
        return batches;
    }

    private static List<String> readPrefix(Path file) throws IOException {
        List<LogRecord> read = new ArrayList<>();
        try (BatchInput input = new BatchInput(LogStorage.files(), 4096)) {
            input.select(storage -> storage.openForRead(file));
            long position = 0;
            long next = 0;
            long limit = Files.size(file);
            for (; ; ) {
                BatchView batch = input.batch(position, limit, next, next);
                if (batch == null) {
                    return Logs.values(read);
                }
                BatchRecords records = batch.records();
                while (records.hasNext()) {
                    read.add(records.next(0, 0));
                }
                position += batch.length();
                next = batch.lastOffset() + 1;
            }
        }
    }
}
