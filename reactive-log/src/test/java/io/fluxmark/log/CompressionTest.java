package io.fluxmark.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CompressionTest {

    @TempDir
    Path directory;

    private LogImage image;

    @ParameterizedTest(name = "{displayName}: {0}")
    @EnumSource(Compression.class)
    void whatIsAppendedIsReadBackAlsoAfterReopening(Compression compression) throws Exception {
        LogSpec spec = LogSpec.defaults().compression(compression);
        try (EventLog log = Logs.open(directory, spec)) {
            Topic topic = Logs.topic(log);
            topic.append(IntStream.range(0, 500).mapToObj(Logs::record).toList())
                    .block(Logs.WAIT);
            Logs.append(topic, Logs.record("p", 3));
            assertThat(Logs.values(Logs.readAll(topic.partition(0)))).hasSize(501);
        }
        assertThat(batches(Logs.segment(directory, 0)).get(0).compression()).isEqualTo(compression);
        try (EventLog log = Logs.open(directory)) {
            Partition partition = Logs.partition(log);
            assertThat(partition.damage()).isEmpty();
            assertThat(Logs.values(partition.readTo(0, 500).collectList().block(Logs.WAIT)))
                    .isEqualTo(Logs.expectedValues(0, 500));
            assertThat(partition.highestSequence("p")).hasValue(3);
            assertThat(Logs.append(log.topic(Logs.TOPIC), Logs.record("p", 3)))
                    .containsExactly(new AppendResult(0, 500, true));
        }
    }

    @Test
    void theCompressionMayChangeAndEachTopicMayHaveItsOwn() throws Exception {
        List<String> values = new ArrayList<>();
        for (Compression compression : Compression.values()) {
            LogSpec spec = LogSpec.defaults().compression(compression).compression("other", Compression.GZIP);
            try (EventLog log = Logs.open(directory, spec)) {
                Topic topic = Logs.topic(log);
                int first = values.size();
                topic.append(IntStream.range(first, first + 100)
                                .mapToObj(Logs::record)
                                .toList())
                        .block(Logs.WAIT);
                values.addAll(Logs.expectedValues(first, first + 100));
                log.createTopic("other", 1)
                        .flatMap(other -> other.append(
                                IntStream.range(0, 100).mapToObj(Logs::record).toList()))
                        .block(Logs.WAIT);
            }
        }
        assertThat(batches(Logs.segment(directory, 0)))
                .extracting(BatchView::compression)
                .containsExactly(Compression.values());
        assertThat(batches(directory.resolve("other-0").resolve(RecordLayout.segmentName(0))))
                .extracting(BatchView::compression)
                .containsOnly(Compression.GZIP);
        try (EventLog log = Logs.open(directory)) {
            assertThat(Logs.values(Logs.readAll(Logs.partition(log)))).isEqualTo(values);
        }
    }

    @ParameterizedTest(name = "{displayName}: {0}")
    @EnumSource(Compression.class)
    void recordsThatDoNotGetSmallerAreLeftUncompressed(Compression compression) throws Exception {
        byte[] value = new byte[10_000];
        new Random(42).nextBytes(value);
        List<AppendRecord> records = List.of(AppendRecord.to(0, value));
        byte[] batch = RawBatches.encoded(7, compression, records);
        BatchView view = BatchView.of(ByteBuffer.wrap(batch));
        assertThat(view.compression()).isEqualTo(Compression.NONE);
        assertThat(batch).isEqualTo(RawBatches.encoded(7, Compression.NONE, records));
        assertThat(view.records().next(0, 0)).isEqualTo(new LogRecord(0, 7, 1_007, null, value, List.of()));
    }

    @ParameterizedTest(name = "{displayName}: {0}")
    @EnumSource(Compression.class)
    void theUncompressedSizeIsBoundedToTheByte(Compression compression) throws Exception {
        for (int size : new int[] {1, 1023, 1024, 1025, 100_000}) {
            byte[] compressed = RawBatches.compressed(compression, new byte[size], 1);
            assertThat(BatchCompression.decompress(compression, ByteBuffer.wrap(compressed), size))
                    .isEqualTo(ByteBuffer.allocate(size));
            assertThatThrownBy(() -> BatchCompression.decompress(compression, ByteBuffer.wrap(compressed), size - 1))
                    .isInstanceOf(MalformedBatchException.class)
                    .hasMessageContaining("more than " + (size - 1) + " bytes");
        }
    }

    @ParameterizedTest(name = "{displayName}: {0}")
    @EnumSource(value = Compression.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void aBatchThatUnpacksToMoreThanAnyBatchHasIsDamageNotOutOfMemory(Compression compression) throws Exception {
        byte[] bomb = RawBatches.of(0, 10, compression.id(), RawBatches.compressed(compression, new byte[1 << 20], 40));
        assertThat(bomb.length).isLessThan(1 << 20);
        byte[] good = RawBatches.encoded(10, compression, List.of(Logs.record(10)));
        try (EventLog log = openWith(RawBatches.joined(bomb, good))) {
            Partition partition = Logs.partition(log);
            assertThat(partition.tornBytes()).isZero();
            assertThat(partition.endOffset()).isEqualTo(11);
            assertThat(partition.damage()).isPresent();
            assertThatThrownBy(() -> partition.readTo(0, 11).blockLast(Logs.WAIT))
                    .isInstanceOfSatisfying(CorruptSegmentException.class, damage -> {
                        assertThat(damage.offset()).isZero();
                        assertThat(damage.lostUntil()).isEqualTo(10);
                    })
                    .hasMessageContaining("more than " + RecordLayout.MAX_BATCH_BYTES + " bytes uncompressed")
                    .hasMessageContaining("offsets [0, 10)");
            assertThat(Logs.values(partition.readTo(10, 11).collectList().block(Logs.WAIT)))
                    .containsExactly("value-10");
        }
    }

    @Test
    void whatIsNoCompressedDataIsDamageOfExactlyItsBatch() throws Exception {
        byte[] good = RawBatches.encoded(0, Compression.NONE, List.of(Logs.record(0)));
        byte[] last = RawBatches.encoded(3, Compression.NONE, List.of(Logs.record(3)));
        for (Compression compression : List.of(Compression.GZIP, Compression.LZ4, Compression.ZSTD)) {
            for (byte[] records : List.of(new byte[0], new byte[3], Logs.bytes("certainly not compressed data"))) {
                byte[] bad = RawBatches.of(1, 2, compression.id(), records);
                try (EventLog log = openWith(RawBatches.joined(good, bad, last))) {
                    Partition partition = Logs.partition(log);
                    assertThat(partition.damage().orElseThrow().offset()).isEqualTo(1);
                    List<LogRecord> before = new ArrayList<>();
                    assertThatThrownBy(() ->
                                    partition.read(0).doOnNext(before::add).blockLast(Logs.WAIT))
                            .isInstanceOfSatisfying(CorruptSegmentException.class, damage -> {
                                assertThat(damage.offset()).isEqualTo(1);
                                assertThat(damage.lostUntil()).isEqualTo(3);
                            });
                    assertThat(before).hasSize(1);
                    assertThat(partition.verify().collectList().block(Logs.WAIT))
                            .singleElement()
                            .satisfies(found -> {
                                assertThat(found.offset()).isEqualTo(1);
                                assertThat(found.lostUntil()).isEqualTo(3);
                            });
                }
            }
        }
    }

    @ParameterizedTest(name = "{displayName}: {0}")
    @ValueSource(ints = {2, 5, 6, 7})
    void aCompressionThatIsNotReadStopsTheOpeningAndChangesNothing(int type) throws Exception {
        byte[] batch = RawBatches.of(0, 1, type, Logs.bytes("x"));
        assertThatThrownBy(() -> openWith(batch))
                .isInstanceOf(UnsupportedFormatException.class)
                .hasMessageContaining(RecordLayout.segmentName(0))
                .hasMessageContaining("t-0")
                .hasMessageContaining(type == 2 ? "snappy" : "type " + type);
        assertThat(Files.readAllBytes(Logs.segment(directory, 0))).isEqualTo(batch);
    }

    private EventLog openWith(byte[] segment) throws Exception {
        if (image == null) {
            image = RawBatches.emptyLog(directory);
        }
        image.with(LogImage.segment(0), segment).writeTo(directory);
        return Logs.open(directory);
    }

    private static List<BatchView> batches(Path segment) throws Exception {
        byte[] bytes = Files.readAllBytes(segment);
        List<BatchView> batches = new ArrayList<>();
        for (int at = 0; at < bytes.length; ) {
            ByteBuffer rest = ByteBuffer.wrap(bytes, at, bytes.length - at).slice();
            BatchView batch = BatchView.of(rest.slice(0, BatchView.lengthOf(rest)));
            batches.add(batch);
            at += batch.length();
        }
        return batches;
    }
}
