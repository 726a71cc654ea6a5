package io.fluxmark.benchmarks.log;

import io.fluxmark.log.LogRecord;
import java.util.List;

/**
 * What was found in a log, whatever the order.
 *
 * @param records how many
 * @param digest of all of them
 */
record Contents(long records, long digest) {

    static final Contents NONE = new Contents(0, 0);

    Contents and(LogRecord record) {
        return new Contents(records + 1, digest ^ digestOf(record));
    }

    Contents and(List<LogRecord> run) {
        long all = digest;
        for (LogRecord record : run) {
            all ^= digestOf(record);
        }
        return new Contents(records + run.size(), all);
    }

    Contents and(Contents other) {
        return new Contents(records + other.records, digest ^ other.digest);
    }

    private static long digestOf(LogRecord record) {
        byte[] value = record.value();
        return value == null ? 0 : Payload.digest(value);
    }
}
