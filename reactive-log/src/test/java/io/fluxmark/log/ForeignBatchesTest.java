package io.fluxmark.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.EndTransactionMarker;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.scheduler.Schedulers;

/** Segments of a broker, with what the log itself never writes. */
class ForeignBatchesTest {

    @TempDir
    Path directory;

    @Test
    void markersOfTransactionsTakeOffsetsAndAreReadByNobody() throws Exception {
        writeSegment(
                transactional(0, "value-0", "value-1"),
                marker(2, ControlRecordType.COMMIT),
                transactional(3, "value-3"),
                marker(4, ControlRecordType.ABORT),
                marker(5, ControlRecordType.COMMIT));
        try (EventLog log = Logs.open(directory)) {
            Partition partition = Logs.partition(log);
            assertThat(partition.damage()).isEmpty();
            assertThat(partition.endOffset()).isEqualTo(6);
            for (int from = 0; from <= 6; from++) {
                for (int end = from; end <= 6; end++) {
                    int first = from;
                    int last = end;
                    List<Long> expected = IntStream.of(0, 1, 3)
                            .filter(offset -> offset >= first && offset < last)
                            .mapToObj(offset -> (long) offset)
                            .toList();
                    assertThat(partition
                                    .readTo(from, end)
                                    .map(LogRecord::offset)
                                    .collectList()
                                    .block(Logs.WAIT))
                            .as("[%d, %d)", from, end)
                            .isEqualTo(expected);
                }
            }
            assertThat(partition.readRuns(0, 256, Schedulers.immediate()).blockFirst(Logs.WAIT))
                    .extracting(LogRecord::offset)
                    .containsExactly(0L, 1L, 3L);
        }
    }

    @Test
    void aReaderWaitsBehindAMarkerForWhatIsAppendedNext() throws Exception {
        writeSegment(transactional(0, "value-0"), marker(1, ControlRecordType.COMMIT));
        try (EventLog log = Logs.open(directory)) {
            Topic topic = Logs.topic(log);
            List<LogRecord> read = new ArrayList<>();
            topic.partition(0)
                    .readTo(0, 3)
                    .doOnNext(record -> {
                        read.add(record);
                        if (record.offset() == 0) {
                            topic.append(List.of(Logs.record(2))).subscribe();
                        }
                    })
                    .blockLast(Logs.WAIT);
            assertThat(read).extracting(LogRecord::offset).containsExactly(0L, 2L);
            List<Long> offsets = new ArrayList<>();
            for (long base : Logs.segmentBases(directory)) {
                try (FileRecords segment =
                        FileRecords.open(Logs.segment(directory, base).toFile(), false)) {
                    segment.records().forEach(record -> offsets.add(record.offset()));
                }
            }
            assertThat(offsets).containsExactly(0L, 1L, 2L);
        }
    }

    @ParameterizedTest(name = "{displayName}: magic {0}")
    @ValueSource(bytes = {0, 1})
    void olderFormatsAreRefusedByNameAndNotCut(byte magic) throws Exception {
        writeSegment(
                MemoryRecords.withRecords(Compression.NONE, new SimpleRecord(Logs.bytes("value-0"))),
                MemoryRecords.withRecords(magic, 1L, Compression.NONE, new SimpleRecord(Logs.bytes("v"))));
        LogImage image = LogImage.of(directory);
        byte[] before = Files.readAllBytes(Logs.segment(directory, 0));
        assertThatThrownBy(() -> Logs.open(directory))
                .isInstanceOf(UnsupportedFormatException.class)
                .hasMessageContaining(RecordLayout.segmentName(0))
                .hasMessageContaining("magic " + magic)
                .hasMessageContaining("only magic 2");
        assertThat(Files.readAllBytes(Logs.segment(directory, 0))).isEqualTo(before);
        for (int at = before.length - 1; at >= before.length - 10; at--) {
            byte[] flipped = before.clone();
            flipped[at] ^= 1;
            image.with(LogImage.segment(0), flipped).writeTo(directory);
            try (EventLog log = Logs.open(directory)) {
                assertThat(Logs.partition(log).tornBytes())
                        .as("no message, so a torn tail")
                        .isPositive();
            }
        }
    }

    @Test
    void anUnknownMagicIsNoBatch() throws Exception {
        byte[] batch = RawBatches.encoded(0, io.fluxmark.log.Compression.NONE, List.of(Logs.record(0)));
        batch[RecordLayout.MAGIC] = 3;
        assertThatThrownBy(() -> BatchView.of(ByteBuffer.wrap(batch)))
                .isInstanceOf(MalformedBatchException.class)
                .hasMessage("magic 3 is not 2");
    }

    private void writeSegment(MemoryRecords... batches) throws Exception {
        try (EventLog log = Logs.open(directory)) {
            Logs.topic(log);
        }
        try (FileRecords segment = FileRecords.open(Logs.segment(directory, 0).toFile())) {
            for (MemoryRecords batch : batches) {
                segment.append(batch);
            }
            segment.flush();
        }
    }

    private static MemoryRecords transactional(long base, String... values) {
        SimpleRecord[] records = Arrays.stream(values)
                .map(value -> new SimpleRecord(1_000L, Logs.bytes("k"), Logs.bytes(value)))
                .toArray(SimpleRecord[]::new);
        return MemoryRecords.withTransactionalRecords(base, Compression.NONE, 9L, (short) 0, (int) base, 0, records);
    }

    private static MemoryRecords marker(long base, ControlRecordType type) {
        return MemoryRecords.withEndTransactionMarker(
                base, 2_000L, 0, 9L, (short) 0, new EndTransactionMarker(type, 0));
    }
}
