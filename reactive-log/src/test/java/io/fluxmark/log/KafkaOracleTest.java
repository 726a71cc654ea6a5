package io.fluxmark.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.lifecycle.AfterTry;
import net.jqwik.api.lifecycle.BeforeTry;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.utils.Utils;

/** Kafka's own classes read what is written here, and what they write is read here, field for field. */
class KafkaOracleTest {

    private Path file;

    @BeforeTry
    void createFile() throws IOException {
        file = Files.createTempFile("segment", ".log");
    }

    @AfterTry
    void deleteFile() throws IOException {
        Files.delete(file);
    }

    @Property
    void kafkaReadsWhatIsWrittenHere(
            @ForAll("batches") List<List<AppendRecord>> batches,
            @ForAll Compression compression,
            @ForAll @LongRange(min = 0, max = 1L << 62) long base)
            throws IOException {
        List<byte[]> written = new ArrayList<>();
        long next = base;
        for (List<AppendRecord> batch : batches) {
            written.add(RawBatches.encoded(next, compression, batch));
            next += batch.size();
        }
        Files.write(file, RawBatches.joined(written.toArray(byte[][]::new)));
        try (FileRecords segment = FileRecords.open(file.toFile(), false)) {
            assertThat(segment.sizeInBytes()).isEqualTo((int) Files.size(file));
            long expected = base;
            int at = 0;
            for (RecordBatch batch : segment.batches()) {
                List<AppendRecord> records = batches.get(at);
                BatchView ours = BatchView.of(ByteBuffer.wrap(written.get(at)));
                batch.ensureValid();
                assertThat(batch.magic()).isEqualTo((byte) 2);
                assertThat(batch.baseOffset()).isEqualTo(expected);
                assertThat(batch.lastOffset()).isEqualTo(expected + records.size() - 1);
                assertThat(batch.countOrNull()).isEqualTo(records.size());
                assertThat(batch.timestampType()).isEqualTo(TimestampType.LOG_APPEND_TIME);
                assertThat(batch.maxTimestamp()).isEqualTo(1_000 + expected);
                assertThat(batch.producerId()).isEqualTo(RecordBatch.NO_PRODUCER_ID);
                assertThat(batch.isControlBatch()).isFalse();
                assertThat(batch.isTransactional()).isFalse();
                assertThat(batch.compressionType().id)
                        .isEqualTo((byte) ours.compression().id());
                int i = 0;
                for (Record record : batch) {
                    record.ensureValid();
                    assertThat(record.offset()).isEqualTo(expected + i);
                    assertSame(record, records.get(i));
                    i++;
                }
                assertThat(i).isEqualTo(records.size());
                expected += records.size();
                at++;
            }
            assertThat(at).isEqualTo(batches.size());
        }
    }

    @Property
    void whatKafkaWritesIsReadHere(
            @ForAll("records") List<AppendRecord> records,
            @ForAll Compression compression,
            @ForAll boolean appendTime,
            @ForAll boolean transactional,
            @ForAll @LongRange(min = 0, max = 1L << 62) long base,
            @ForAll @LongRange(min = 0, max = 1L << 42) long time,
            @ForAll @LongRange(min = 0) long producerId,
            @ForAll @IntRange(min = 0, max = Short.MAX_VALUE) int epoch,
            @ForAll @IntRange(min = 0) int sequence)
            throws IOException {
        var builder = MemoryRecords.builder(
                ByteBuffer.allocate(100_000
                        + 2 * records.stream().mapToInt(KafkaOracleTest::sizeOf).sum()),
                RecordBatch.CURRENT_MAGIC_VALUE,
                kafkas(compression),
                appendTime ? TimestampType.LOG_APPEND_TIME : TimestampType.CREATE_TIME,
                base,
                time,
                producerId,
                (short) epoch,
                sequence,
                transactional,
                7);
        List<LogRecord> expected = new ArrayList<>();
        for (int i = 0; i < records.size(); i++) {
            AppendRecord record = records.get(i);
            long created = time + i * 77L;
            builder.append(created, record.key(), record.value(), headersOf(record));
            expected.add(new LogRecord(
                    3, base + i, appendTime ? time : created, record.key(), record.value(), record.headers()));
        }
        MemoryRecords written = builder.build();
        try (FileRecords segment = FileRecords.open(file.toFile())) {
            segment.append(written);
            segment.flush();
        }
        try (BatchInput input = new BatchInput(LogStorage.files(), 4096)) {
            input.select(storage -> storage.openForRead(file));
            BatchView batch = input.batch(0, Files.size(file), base, base);
            assertThat(batch.length()).isEqualTo((int) Files.size(file));
            assertThat(batch.lastOffset()).isEqualTo(base + records.size() - 1);
            assertThat(batch.compression()).isEqualTo(compression);
            assertThat(batch.hasAppendTime()).isEqualTo(appendTime);
            assertThat(batch.isTransactional()).isEqualTo(transactional);
            assertThat(batch.isControl()).isFalse();
            assertThat(batch.producerId()).isEqualTo(producerId);
            assertThat(batch.producerEpoch()).isEqualTo((short) epoch);
            assertThat(batch.baseSequence()).isEqualTo(sequence);
            assertThat(batch.maxTimestamp()).isEqualTo(appendTime ? time : time + (records.size() - 1) * 77L);
            List<LogRecord> read = new ArrayList<>();
            BatchRecords walk = batch.records();
            while (walk.hasNext()) {
                read.add(walk.next(3, 0));
            }
            assertThat(read).isEqualTo(expected);
        }
    }

    @Provide
    Arbitrary<List<List<AppendRecord>>> batches() {
        return records().list().ofMinSize(1).ofMaxSize(4);
    }

    @Provide
    Arbitrary<List<AppendRecord>> records() {
        return record().list().ofMinSize(1).ofMaxSize(12);
    }

    private static Arbitrary<AppendRecord> record() {
        // Lone halves of surrogate pairs are no text.
        Arbitrary<String> name =
                Arbitraries.strings().withCharRange('\u0000', '\uD7FF').ofMaxLength(9);
        Arbitrary<Header> header = Combinators.combine(name, bytes(60)).as(Header::new);
        return Combinators.combine(bytes(300), bytes(1 << 20), header.list().ofMaxSize(3))
                .as((key, value, headers) -> AppendRecord.to(0, key, value).withHeaders(headers));
    }

    /** None, nothing, or up to so many bytes, mostly few; compressible or not. */
    private static Arbitrary<byte[]> bytes(int max) {
        Arbitrary<Integer> size = Arbitraries.frequencyOf(
                Tuple.of(1, Arbitraries.of(-1)),
                Tuple.of(1, Arbitraries.of(0)),
                Tuple.of(8, Arbitraries.integers().between(1, Math.min(max, 300))),
                Tuple.of(1, Arbitraries.integers().between(1, Math.min(max, 70_000))),
                Tuple.of(
                        1,
                        Arbitraries.of(1, 127, 128, 255, 256, 32_767, 32_768, 65_535, 65_536, 1 << 20)
                                .filter(each -> each <= max)));
        return Combinators.combine(size, Arbitraries.longs(), Arbitraries.of(true, false))
                .as(KafkaOracleTest::bytesOf);
    }

    private static byte[] bytesOf(int size, long seed, boolean compressible) {
        if (size < 0) {
            return null;
        }
        byte[] bytes = new byte[size];
        if (compressible) {
            Arrays.fill(bytes, (byte) seed);
        } else {
            new Random(seed).nextBytes(bytes);
        }
        return bytes;
    }

    private static void assertSame(Record read, AppendRecord record) {
        assertThat(read.key() == null ? null : Utils.toArray(read.key())).isEqualTo(record.key());
        assertThat(read.value() == null ? null : Utils.toArray(read.value())).isEqualTo(record.value());
        assertThat(Arrays.stream(read.headers())
                        .map(header -> new Header(header.key(), header.value()))
                        .toList())
                .isEqualTo(record.headers());
    }

    private static org.apache.kafka.common.header.Header[] headersOf(AppendRecord record) {
        return record.headers().stream()
                .map(header -> new RecordHeader(header.name(), header.value()))
                .toArray(org.apache.kafka.common.header.Header[]::new);
    }

    private static int sizeOf(AppendRecord record) {
        return new PreparedRecord(record).bytes();
    }

    private static org.apache.kafka.common.compress.Compression kafkas(Compression compression) {
        return org.apache.kafka.common.compress.Compression.of(CompressionType.forId(compression.id()))
                .build();
    }
}
