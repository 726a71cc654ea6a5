package io.fluxmark.log;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A record as read. It owns its bytes.
 *
 * @param offset its position in the partition
 * @param appendTime when the log wrote it, epoch milliseconds
 * @param key the key, or null for none
 * @param value the payload
 * @param headers in order, the two reserved ones of a {@link ProducerSequence} last
 */
@SuppressWarnings("ArrayRecordComponent") // equality is by content, see below
public record LogRecord(long offset, long appendTime, byte @Nullable [] key, byte[] value, List<Header> headers) {

    public LogRecord {
        Objects.requireNonNull(value, "value");
        headers = List.copyOf(Objects.requireNonNull(headers, "headers"));
    }

    /** The sequence this record was appended with, if any. */
    public Optional<ProducerSequence> sequence() {
        return Optional.ofNullable(ProducerSequence.in(headers));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LogRecord that
                && offset == that.offset
                && appendTime == that.appendTime
                && Arrays.equals(key, that.key)
                && Arrays.equals(value, that.value)
                && headers.equals(that.headers);
    }

    @Override
    public int hashCode() {
        return Objects.hash(offset, appendTime, Arrays.hashCode(key), Arrays.hashCode(value), headers);
    }

    @Override
    public String toString() {
        return "LogRecord[offset=" + offset + ", appendTime=" + appendTime + ", key="
                + (key == null ? "none" : key.length + " bytes") + ", value=" + value.length + " bytes, headers="
                + headers + "]";
    }
}
