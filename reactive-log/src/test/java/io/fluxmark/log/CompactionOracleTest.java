package io.fluxmark.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.EndTransactionMarker;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Batches of a broker, compacted, as Kafka's own classes read them. */
class CompactionOracleTest {

    private static final long HORIZON = Duration.ofHours(1).toMillis();

    @TempDir
    Path directory;

    private final VirtualTimeScheduler clock = VirtualTimeScheduler.create();
    private final LogSpec spec =
            LogSpec.defaults().storage(FaultStorage.fast()).clock(clock).writerExecutor(Runnable::run);

    @ParameterizedTest
    @EnumSource(io.fluxmark.log.Compression.class)
    void creationTimesHeadersAndCompressionStayAndTheHorizonIsWhereKafkaHasIt(io.fluxmark.log.Compression compression)
            throws Exception {
        Compression kafkas = Compression.of(kafkaName(compression)).build();
        List<String> read = compacted(
                MemoryRecords.withRecords(
                        0L,
                        kafkas,
                        record(5_000, "a", "old"),
                        record(7_000, "b", null),
                        record(6_000, "c", "c".repeat(300)),
                        record(4_000, "d", "old")),
                MemoryRecords.withRecords(4L, kafkas, record(9_000, "a", "old too")),
                MemoryRecords.withRecords(5L, kafkas, record(8_000, "a", "new"), record(8_500, "d", "new")));
        assertThat(read)
                .containsExactly(
                        "batch [0, 4] " + kafkaName(compression).name + " horizon " + HORIZON + " newest 7000",
                        "1 at 7000: b=null h",
                        "2 at 6000: c=" + "c".repeat(300) + " h",
                        "batch [5, 6] " + kafkaName(compression).name + " horizon none newest 8500",
                        "5 at 8000: a=new h",
                        "6 at 8500: d=new h");
    }

    @Test
    void whatATransactionWroteHidesNothingAndMarkersAndProducersStay() throws Exception {
        List<String> read = compacted(
                MemoryRecords.withRecords(0L, Compression.NONE, record(1, "a", "plain")),
                MemoryRecords.withTransactionalRecords(
                        1L, Compression.NONE, 9L, (short) 0, 0, 0, record(2, "a", "maybe"), record(2, "b", null)),
                MemoryRecords.withEndTransactionMarker(
                        3L, 3, 0, 9L, (short) 0, new EndTransactionMarker(ControlRecordType.ABORT, 0)),
                MemoryRecords.withIdempotentRecords(
                        4L, Compression.NONE, 8L, (short) 1, 17, 0, record(4, "x", "hidden")),
                MemoryRecords.withRecords(5L, Compression.NONE, record(5, "x", "y")));
        assertThat(read)
                .containsExactly(
                        "batch [0, 0] none horizon none newest 1",
                        "0 at 1: a=plain h",
                        "batch [1, 2] none horizon none newest 2 producer 9/0 from 0",
                        "1 at 2: a=maybe h",
                        "2 at 2: b=null h",
                        "batch [3, 3] none horizon none newest 3 producer 9/0 from -1",
                        "marker",
                        "batch [4, 4] none horizon none newest 4 producer 8/1 from 17",
                        "batch [5, 5] none horizon none newest 5",
                        "5 at 5: x=y h");
    }

    /** What Kafka reads of the segment that the batches have become. */
    private List<String> compacted(MemoryRecords... batches) throws Exception {
        TopicSpec topic =
                TopicSpec.partitions(1).compaction(Compaction.byKey().deleteHorizon(Duration.ofMillis(HORIZON)));
        try (EventLog log = Logs.open(directory, spec)) {
            log.createTopic(Logs.TOPIC, topic).block(Logs.WAIT);
        }
        try (FileRecords segment = FileRecords.open(Logs.segment(directory, 0).toFile())) {
            for (MemoryRecords batch : batches) {
                segment.append(batch);
            }
            segment.flush();
        }
        try (EventLog log = Logs.open(directory, spec)) {
            List<LogRecord> before = Logs.readAll(log.topic(Logs.TOPIC).partition(0));
            log.compact(Logs.TOPIC).block(Logs.WAIT);
            List<LogRecord> after = Logs.readAll(log.topic(Logs.TOPIC).partition(0));
            assertThat(before).containsAll(after);
        }
        List<String> read = new ArrayList<>();
        try (FileRecords segment = FileRecords.open(Logs.segment(directory, 0).toFile(), false)) {
            for (RecordBatch batch : segment.batches()) {
                batch.ensureValid();
                read.add("batch [" + batch.baseOffset() + ", " + batch.lastOffset() + "] "
                        + batch.compressionType().name + " horizon "
                        + (batch.deleteHorizonMs().isPresent()
                                ? batch.deleteHorizonMs().getAsLong()
                                : "none")
                        + " newest " + batch.maxTimestamp()
                        + (batch.hasProducerId()
                                ? " producer " + batch.producerId() + "/" + batch.producerEpoch() + " from "
                                        + batch.baseSequence()
                                : ""));
                for (Record each : batch) {
                    read.add(batch.isControlBatch() ? "marker" : text(each));
                }
            }
        }
        return read;
    }

    private static String text(Record record) {
        return record.offset() + " at " + record.timestamp() + ": " + text(record.key()) + "="
                + (record.hasValue() ? text(record.value()) : "null") + " "
                + record.headers()[0].key();
    }

    private static String text(ByteBuffer bytes) {
        return StandardCharsets.UTF_8.decode(bytes).toString();
    }

    private static SimpleRecord record(long timestamp, String key, @Nullable String value) {
        return new SimpleRecord(
                timestamp, Logs.bytes(key), value == null ? null : Logs.bytes(value), new RecordHeader[] {
                    new RecordHeader("h", Logs.bytes("v"))
                });
    }

    private static CompressionType kafkaName(io.fluxmark.log.Compression compression) {
        return CompressionType.forId(compression.id());
    }
}
