package io.fluxmark.log;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A record as read. It owns its bytes.
 *
 * @param partition the number of its partition in the topic
 * @param offset its position in the partition
 * @param appendTime when the log wrote it, epoch milliseconds; of records copied from elsewhere that say when they were created,
 *     that
 * @param key the key, or null for none
 * @param value the payload, or null for none: a tombstone, which says that its key is gone
 * @param headers in order, the two reserved ones of a {@link ProducerSequence} last
 */
@SuppressWarnings("ArrayRecordComponent") // equality is by content, see below
public record LogRecord(
        int partition,
        long offset,
        long appendTime,
        byte @Nullable [] key,
        byte @Nullable [] value,
        List<Header> headers) {

    public LogRecord {
        headers = List.copyOf(Objects.requireNonNull(headers, "headers"));
    }

    /**
     * The payload of a record that has to have one.
     *
     * @throws IllegalArgumentException if it is a tombstone
     */
    public byte[] requireValue() {
        byte[] present = value;
        if (present == null) {
            throw new IllegalArgumentException("the record at offset " + offset + " of partition " + partition
                    + " is a tombstone: it has no value to decode");
        }
        return present;
    }

    /** The sequence this record was appended with, if any. */
    public Optional<ProducerSequence> sequence() {
        return Optional.ofNullable(ProducerSequence.in(headers));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LogRecord that
                && partition == that.partition
                && offset == that.offset
                && appendTime == that.appendTime
                && Arrays.equals(key, that.key)
                && Arrays.equals(value, that.value)
                && headers.equals(that.headers);
    }

    @Override
    public int hashCode() {
        return Objects.hash(partition, offset, appendTime, Arrays.hashCode(key), Arrays.hashCode(value), headers);
    }

    @Override
    public String toString() {
        return "LogRecord[partition=" + partition + ", offset=" + offset + ", appendTime=" + appendTime + ", key="
                + (key == null ? "none" : key.length + " bytes") + ", value="
                + (value == null ? "none" : value.length + " bytes") + ", headers=" + headers + "]";
    }
}
