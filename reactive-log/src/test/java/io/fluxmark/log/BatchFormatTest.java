package io.fluxmark.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.utils.Utils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.test.scheduler.VirtualTimeScheduler;

class BatchFormatTest {

    @TempDir
    Path directory;

    @Property
    void murmur2IsKafkas(@ForAll byte[] key) {
        assertThat(Partitioner.murmur2(key)).isEqualTo(Utils.murmur2(key));
        assertThat(Partitioner.partitionFor(key, 7)).isEqualTo(Utils.toPositive(Utils.murmur2(key)) % 7);
    }

    @Test
    void kafkaReadsOurSegments() throws Exception {
        long seed = 42;
        Random random = new Random(seed);
        List<AppendRecord> records = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            List<Header> headers = IntStream.range(0, random.nextInt(3))
                    .mapToObj(h -> new Header("h" + h, randomBytes(random, 20)))
                    .toList();
            AppendRecord record = AppendRecord.to(
                            0, random.nextBoolean() ? null : randomBytes(random, 300), randomBytes(random, 300))
                    .withHeaders(headers);
            records.add(i % 3 == 0 ? record.withSequence("p" + i % 5, i) : record);
        }
        try (EventLog log = Logs.open(directory)) {
            Topic topic = Logs.topic(log);
            for (int i = 0; i < records.size(); i += 250) {
                topic.append(records.subList(i, i + 250)).block(Logs.WAIT);
            }
        }
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(Logs.segment(directory, 0)));
        var kafka = MemoryRecords.readableRecords(bytes);
        int i = 0;
        int batches = 0;
        for (var batch : kafka.batches()) {
            batch.ensureValid();
            batches++;
            assertThat(batch.timestampType()).isEqualTo(TimestampType.LOG_APPEND_TIME);
            for (var read : batch) {
                AppendRecord record = records.get(i);
                read.ensureValid();
                assertThat(read.offset()).isEqualTo(i);
                assertThat(read.key() == null ? null : Utils.toArray(read.key()))
                        .isEqualTo(record.key());
                assertThat(Utils.toArray(read.value())).isEqualTo(record.value());
                int sequenced = record.sequence() == null ? 0 : 2;
                assertThat(read.headers()).hasSize(record.headers().size() + sequenced);
                for (int h = 0; h < record.headers().size(); h++) {
                    assertThat(read.headers()[h].key())
                            .isEqualTo(record.headers().get(h).name());
                    assertThat(read.headers()[h].value())
                            .isEqualTo(record.headers().get(h).value());
                }
                i++;
            }
        }
        assertThat(i).isEqualTo(records.size());
        assertThat(kafka.sizeInBytes()).isEqualTo(bytes.capacity());
        System.out.println("Kafka read " + i + " records of ours in " + batches + " batches, seed " + seed);
    }

    @ParameterizedTest(name = "{displayName}: {0} value bytes")
    @ValueSource(ints = {0, 1, 127, 128, 255, 256, 16383, 16384, 32768, 65535, 65536, 2_000_000})
    void weReadKafkasBatches(int valueBytes) {
        byte[] value = new byte[valueBytes];
        Arrays.fill(value, (byte) 7);
        var kafka = MemoryRecords.withRecords(
                1L << 33,
                org.apache.kafka.common.compress.Compression.NONE,
                new SimpleRecord(1_000L, Logs.bytes("k"), value),
                new SimpleRecord(1L << 41, (byte[]) null, (byte[]) null, new org.apache.kafka.common.header.Header[] {
                    new RecordHeader("name", Logs.bytes("v")), new RecordHeader("absent", (byte[]) null)
                }));
        BatchRecords records = BatchView.of(kafka.buffer().slice()).records();
        LogRecord first = records.next(5, 0);
        LogRecord second = records.next(5, 0);
        assertThat(first).isEqualTo(new LogRecord(5, 1L << 33, 1_000L, Logs.bytes("k"), value, List.of()));
        assertThat(second)
                .isEqualTo(new LogRecord(
                        5,
                        (1L << 33) + 1,
                        1L << 41,
                        null,
                        null,
                        List.of(new Header("name", Logs.bytes("v")), new Header("absent", null))));
        assertThat(records.hasNext()).isFalse();
    }

    @ParameterizedTest(name = "{displayName}: base {0}")
    @ValueSource(
            longs = {0, 127, 128, 255, 256, 32767, 32768, 65536, 1 << 24, 1L << 31, 1L << 32, Long.MAX_VALUE - 5000})
    void fixedFieldsRoundTripAtByteBoundaries(long base) throws Exception {
        List<PreparedRecord> records = IntStream.range(0, 4096)
                .mapToObj(i -> new PreparedRecord(Logs.record(i)))
                .toList();
        ByteBuffer bytes = ByteBuffer.allocate(BatchEncoder.sizeOf(records));
        BatchEncoder.encode(bytes, base, base, (int) Math.min(base, Integer.MAX_VALUE), Compression.NONE, records);
        assertThat(bytes.hasRemaining()).isFalse();
        BatchView batch = BatchView.of(bytes.flip());
        assertThat(batch.baseOffset()).isEqualTo(base);
        assertThat(batch.lastOffset()).isEqualTo(base + 4095);
        assertThat(batch.unforcedDistance()).isEqualTo((int) Math.min(base, Integer.MAX_VALUE));
        BatchRecords walk = batch.records();
        for (int i = 0; i < 4096; i++) {
            LogRecord read = walk.next(0, base + 4000);
            assertThat(walk.offset()).isEqualTo(base + i);
            if (i < 4000) {
                assertThat(read).isNull();
            } else {
                assertThat(read)
                        .isEqualTo(new LogRecord(
                                0, base + i, base, Logs.bytes("k" + i), Logs.bytes("value-" + i), List.of()));
            }
        }
    }

    @Test
    void aChecksumOfZeroIsAsGoodAsAny() throws Exception {
        // The clock stands at 0, so the bytes of the batch are known beforehand.
        LogSpec spec = LogSpec.defaults().clock(VirtualTimeScheduler.create());
        byte[] value = valueWithChecksumZero();
        try (EventLog log = Logs.open(directory, spec)) {
            Topic topic = Logs.topic(log);
            Logs.append(topic, AppendRecord.to(0, value));
        }
        ByteBuffer file = ByteBuffer.wrap(Files.readAllBytes(Logs.segment(directory, 0)));
        assertThat(file.getInt(RecordLayout.CRC)).isZero();
        try (EventLog log = Logs.open(directory, spec)) {
            Topic topic = Logs.topic(log);
            Logs.append(topic, Logs.record(1));
            assertThat(Logs.readAll(topic.partition(0)))
                    .extracting(LogRecord::value)
                    .containsExactly(value, Logs.bytes("value-1"));
        }
    }

    /** The checksum is affine in four free bytes: solves 32 equations over GF(2). */
    private static byte[] valueWithChecksumZero() throws Exception {
        long[] columns = new long[32];
        long constant = checksum(new byte[4]);
        for (int bit = 0; bit < 32; bit++) {
            columns[bit] = checksum(ByteBuffer.allocate(4).putInt(1 << bit).array()) ^ constant;
        }
        long[] rows = new long[32];
        for (int row = 0; row < 32; row++) {
            for (int bit = 0; bit < 32; bit++) {
                rows[row] |= ((columns[bit] >>> row) & 1) << bit;
            }
            rows[row] |= ((constant >>> row) & 1) << 32;
        }
        for (int column = 0; column < 32; column++) {
            int pivot = column;
            while (((rows[pivot] >>> column) & 1) == 0) {
                pivot++;
            }
            long swapped = rows[pivot];
            rows[pivot] = rows[column];
            rows[column] = swapped;
            for (int row = 0; row < 32; row++) {
                if (row != column && ((rows[row] >>> column) & 1) == 1) {
                    rows[row] ^= rows[column];
                }
            }
        }
        int solution = 0;
        for (int bit = 0; bit < 32; bit++) {
            solution |= (int) ((rows[bit] >>> 32) & 1) << bit;
        }
        byte[] value = ByteBuffer.allocate(4).putInt(solution).array();
        assertThat(checksum(value)).isZero();
        return value;
    }

    private static long checksum(byte[] value) throws Exception {
        List<PreparedRecord> records = List.of(new PreparedRecord(AppendRecord.to(0, value)));
        ByteBuffer bytes = ByteBuffer.allocate(BatchEncoder.sizeOf(records));
        BatchEncoder.encode(bytes, 0, 0, 0, Compression.NONE, records);
        CRC32C crc = new CRC32C();
        crc.update(bytes.flip().position(RecordLayout.ATTRIBUTES));
        return crc.getValue();
    }

    private static byte[] randomBytes(Random random, int bound) {
        byte[] bytes = new byte[random.nextInt(bound)];
        random.nextBytes(bytes);
        return bytes;
    }
}
