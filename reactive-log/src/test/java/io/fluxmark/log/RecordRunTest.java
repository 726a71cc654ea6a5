package io.fluxmark.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Records taken into runs against the same records one by one, whole and damaged. */
class RecordRunTest {

    private static final int CASES = Logs.thorough() ? 200_000 : 5_000;
    private static final int PARTITION = 3;
    private static final long BASE = 1_000;

    @Test
    void aRunHoldsTheRecordsThatAreReadOneByOne() throws IOException {
        long seed = 31;
        Random random = new Random(seed);
        long records = 0;
        for (int i = 0; i < CASES; i++) {
            byte[] batch = batch(random, 80);
            records += compare(batch, random, seed + ", case " + i);
        }
        System.out.printf("record runs: %d batches, %d records, seed %d%n", CASES, records, seed);
        assertThat(records).isGreaterThan(CASES);
    }

    @Test
    void whatIsMalformedIsSoInARunToo() throws IOException {
        long seed = 32;
        Random random = new Random(seed);
        int malformed = 0;
        for (int i = 0; i < CASES; i++) {
            byte[] batch = batch(random, 4);
            int at = RecordLayout.HEADER_BYTES + random.nextInt(batch.length - RecordLayout.HEADER_BYTES);
            batch[at] ^= (byte) (1 << random.nextInt(Byte.SIZE));
            RawBatches.sealed(batch);
            malformed += compare(batch, random, seed + ", case " + i) < 0 ? 1 : 0;
        }
        System.out.printf("damaged runs: %d batches, %d malformed, seed %d%n", CASES, malformed, seed);
        assertThat(malformed).isBetween(CASES / 20, CASES - CASES / 20);
    }

    /** How many records there are, or -1 if the batch is malformed. */
    private static int compare(byte[] batch, Random random, String which) {
        long from = BASE + random.nextInt(4);
        List<LogRecord> expected = new ArrayList<>();
        String error = null;
        try {
            BatchRecords records = view(batch).records();
            while (records.hasNext()) {
                LogRecord record = records.next(PARTITION, from);
                if (record != null) {
                    expected.add(record);
                }
            }
        } catch (MalformedBatchException e) {
            error = e.getMessage();
        }
        List<LogRecord> actual = new ArrayList<>();
        String runError = null;
        BatchRecords records = view(batch).records();
        int most = 1 + random.nextInt(5);
        try {
            while (records.hasNext()) {
                RecordRunBuilder builder = new RecordRunBuilder(PARTITION, most);
                try {
                    builder.beginPiece(records.remaining());
                    while (records.hasNext() && !builder.isFull()) {
                        assertThat(records.addNext(builder, from, Long.MAX_VALUE))
                                .isTrue();
                    }
                } finally {
                    builder.endPiece(records.array());
                    RecordRun run = builder.build();
                    if (run != null) {
                        check(run, which);
                        actual.addAll(run);
                    }
                }
            }
        } catch (MalformedBatchException e) {
            runError = e.getMessage();
        }
        assertThat(actual).as("seed %s", which).isEqualTo(expected);
        assertThat(runError).as("seed %s", which).isEqualTo(error);
        return error == null ? actual.size() : -1;
    }

    /** What a run says of its records without making them. */
    private static void check(RecordRun run, String which) {
        for (int i = 0; i < run.size(); i++) {
            LogRecord record = run.get(i);
            RecordView view = run.view(i);
            assertThat(run.offset(i)).as("seed %s", which).isEqualTo(record.offset());
            assertThat(run.appendTime(i)).isEqualTo(record.appendTime());
            assertThat(run.contentBytes(i)).isEqualTo(length(record.key()) + (long) length(record.value()));
            assertThat(view.offset()).isEqualTo(record.offset());
            assertThat(view.hasValue()).isEqualTo(record.value() != null);
            byte[] value = record.value();
            if (value != null) {
                assertThat(ByteBuffer.wrap(view.array(), view.valueOffset(), view.valueLength()))
                        .isEqualTo(ByteBuffer.wrap(value));
            }
        }
        int half = run.size() / 2;
        assertThat(new ArrayList<>(run.subList(half, run.size())))
                .isEqualTo(new ArrayList<>(run).subList(half, run.size()));
    }

    @Test
    void aRunEndsBeforeAnOffsetAndBehindAMegabyte() throws IOException {
        List<AppendRecord> large = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            large.add(AppendRecord.to(0, new byte[400_000]));
        }
        BatchRecords records = view(encode(large)).records();
        RecordRunBuilder builder = new RecordRunBuilder(PARTITION, 256);
        builder.beginPiece(records.remaining());
        while (!builder.isFull()) {
            assertThat(records.addNext(builder, BASE, BASE + 4)).isTrue();
        }
        builder.endPiece(records.array());
        assertThat(builder.build()).hasSize(3);
        RecordRunBuilder next = new RecordRunBuilder(PARTITION, 256);
        next.beginPiece(records.remaining());
        assertThat(records.addNext(next, BASE, BASE + 4)).isTrue();
        assertThat(records.addNext(next, BASE, BASE + 4)).isFalse();
        next.endPiece(records.array());
        assertThat(next.build()).hasSize(1);
    }

    @Test
    void aViewOfARecordIsThatRecord() {
        LogRecord record = new LogRecord(1, 2, 3, null, new byte[] {4}, List.of());
        RecordView view = RecordView.of(record);
        assertThat(view.record()).isSameAs(record);
        assertThat(view.partition()).isEqualTo(1);
        assertThat(view.offset()).isEqualTo(2);
        assertThat(view.appendTime()).isEqualTo(3);
        assertThat(view.array()[view.valueOffset()]).isEqualTo((byte) 4);
        RecordView tombstone = RecordView.of(new LogRecord(1, 2, 3, null, null, List.of()));
        assertThat(tombstone.hasValue()).isFalse();
        assertThatThrownBy(tombstone::valueLength)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("offset 2 of partition 1 is a tombstone");
    }

    private static int length(byte[] bytes) {
        return bytes == null ? 0 : bytes.length;
    }

    private static BatchView view(byte[] batch) {
        return BatchView.of(ByteBuffer.wrap(batch));
    }

    private static byte[] batch(Random random, int usual) throws IOException {
        List<AppendRecord> records = new ArrayList<>();
        int count = random.nextInt(3) == 0 ? 1 + random.nextInt(150) : 1 + random.nextInt(6);
        for (int i = 0; i < count; i++) {
            AppendRecord record = AppendRecord.to(0, part(random, usual), part(random, usual));
            records.add(
                    random.nextInt(8) == 0
                            ? record.withHeaders(List.of(new Header("name", part(random, usual))))
                            : record);
        }
        return encode(records);
    }

    private static byte[] part(Random random, int usual) {
        if (random.nextInt(10) == 0) {
            return null;
        }
        byte[] part = new byte[random.nextInt(200) == 0 ? random.nextInt(20_000) : random.nextInt(usual)];
        random.nextBytes(part);
        return part;
    }

    private static byte[] encode(List<AppendRecord> records) throws IOException {
        return RawBatches.encoded(BASE, Compression.NONE, records);
    }
}
