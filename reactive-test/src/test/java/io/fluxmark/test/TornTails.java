package io.fluxmark.test;

import io.fluxmark.log.AppendRecord;
import io.fluxmark.log.EventCodec;
import io.fluxmark.log.LogRecord;
import io.fluxmark.log.LogStorage;
import io.fluxmark.sinks.LogSource;
import io.fluxmark.windows.Aggregations;
import io.fluxmark.windows.WatermarkSpec;
import io.fluxmark.windows.WindowSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * A recovery of the log that is broken: it takes a batch at the end for whole though a power cut has torn it, as one that
 * does not look at checksums would. Done by giving such a batch the checksum of what is left of it.
 */
final class TornTails {

    private static final int RECORDS = 200;
    private static final int PADDING = 700;

    /** Where Kafka's format has them in a batch; the length is of all behind it. */
    private static final int LENGTH = 8;

    private static final int LENGTH_END = 12;
    private static final int CHECKSUM = 17;
    private static final int CHECKED = 21;

    /** Events that fill more than a sector each, so that one can be torn in its middle. */
    private static final EventCodec<CrashEvent> WIDE = new EventCodec<>() {
        @Override
        public CrashEvent decode(LogRecord record) {
            byte[] value = record.requireValue();
            return CrashEvent.CODEC.decode(Arrays.copyOfRange(value, PADDING, value.length));
        }

        @Override
        public AppendRecord encode(CrashEvent event) {
            AppendRecord narrow = CrashEvent.EVENTS.encode(event);
            byte[] text = CrashEvent.CODEC.encode(event);
            byte[] value = new byte[PADDING + text.length];
            Arrays.fill(value, (byte) '.');
            System.arraycopy(text, 0, value, PADDING, text.length);
            return AppendRecord.of(narrow.key(), value);
        }
    };

    private int accepted;

    /** A job over such events. */
    static JobCase job() {
        List<AppendRecord> records = new ArrayList<>();
        for (int i = 0; i < RECORDS; i++) {
            records.add(WIDE.encode(new CrashEvent("k" + i % 7, i, 1 + i % 5)));
        }
        return JobCase.of((log, store, spec) -> LogSource.of(log.topic(CrashPipelines.TOPIC, WIDE))
                        .watermarksMillis(CrashEvent::time, WatermarkSpec.boundedOutOfOrderness(Duration.ofMillis(8)))
                        .keyByRecordKey(CrashEvent::key)
                        .window(WindowSpec.tumbling(Duration.ofMillis(20)))
                        .aggregate(Aggregations.summingLong(CrashEvent::amount))
                        .writeTo(CrashPipelines.rows(store), spec))
                .input(CrashPipelines.TOPIC, CrashPipelines.PARTITIONS, records);
    }

    /** How many torn batches have been taken for whole. */
    int accepted() {
        return accepted;
    }

    /** Does so with every segment below the logs of a disk. */
    void accept(SimulatedDisk disk) {
        try {
            for (Path segment : disk.files(".log")) {
                try (LogStorage.LogFile file = disk.openForWrite(segment)) {
                    acceptTail(file);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void acceptTail(LogStorage.LogFile file) throws IOException {
        ByteBuffer all = ByteBuffer.allocate(Math.toIntExact(file.size()));
        file.read(all, 0);
        int start = 0;
        while (start + CHECKED < all.capacity()) {
            int size = LENGTH_END + all.getInt(start + LENGTH);
            if (size <= CHECKED || size > all.capacity() - start) {
                return;
            }
            CRC32C crc = new CRC32C();
            crc.update(all.duplicate().limit(start + size).position(start + CHECKED));
            if (all.getInt(start + CHECKSUM) != (int) crc.getValue()) {
                file.write(ByteBuffer.allocate(Integer.BYTES).putInt(0, (int) crc.getValue()), start + CHECKSUM);
                accepted++;
            }
            start += size;
        }
    }
}
