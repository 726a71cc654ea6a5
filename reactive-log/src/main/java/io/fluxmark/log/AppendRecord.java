package io.fluxmark.log;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A record to append. Its arrays are not copied: leave them unmodified until the append has completed.
 *
 * @param partition the partition to append to, or {@link #BY_KEY}
 * @param key the key, or null for none; a record placed by key needs one
 * @param value the payload, or null for none: a tombstone, which says that its key is gone
 * @param headers in order; names may repeat
 * @param sequence makes repeating the append harmless; stored as two reserved headers
 */
@SuppressWarnings("ArrayRecordComponent") // equality is by content, see below
public record AppendRecord(
        int partition,
        byte @Nullable [] key,
        byte @Nullable [] value,
        List<Header> headers,
        @Nullable ProducerSequence sequence) {

    /** The partition is chosen by {@link Partitioner#partitionFor}. */
    public static final int BY_KEY = -1;

    public AppendRecord {
        headers = List.copyOf(Objects.requireNonNull(headers, "headers"));
        if (partition < BY_KEY) {
            throw new IllegalArgumentException(
                    "partition must be -1 (by key) or a partition number but was " + partition);
        }
        if (partition == BY_KEY && key == null) {
            throw new IllegalArgumentException(
                    "a record without key has no partition; use AppendRecord.to(partition, ...)");
        }
        for (Header header : headers) {
            if (header.name().equals(Header.PRODUCER) || header.name().equals(Header.SEQUENCE)) {
                throw new IllegalArgumentException("header " + header.name()
                        + " is reserved; use withSequence(...), and drop this header when copying records");
            }
        }
    }

    /** A record placed by its key. */
    public static AppendRecord of(byte[] key, byte @Nullable [] value) {
        return new AppendRecord(BY_KEY, key, value, List.of(), null);
    }

    /** A record without key for the given partition. */
    public static AppendRecord to(int partition, byte @Nullable [] value) {
        return new AppendRecord(partition, null, value, List.of(), null);
    }

    /** A record for the given partition, whatever its key says. */
    public static AppendRecord to(int partition, byte @Nullable [] key, byte @Nullable [] value) {
        return new AppendRecord(partition, key, value, List.of(), null);
    }

    /** This record with these headers instead. */
    public AppendRecord withHeaders(List<Header> newHeaders) {
        return new AppendRecord(partition, key, value, newHeaders, sequence);
    }

    /** This record with a sequence, so that a repeated append is recognised. */
    public AppendRecord withSequence(String producer, long newSequence) {
        return new AppendRecord(partition, key, value, headers, new ProducerSequence(producer, newSequence));
    }

    /** This record for the given partition. */
    public AppendRecord withPartition(int newPartition) {
        return new AppendRecord(newPartition, key, value, headers, sequence);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof AppendRecord that
                && partition == that.partition
                && Arrays.equals(key, that.key)
                && Arrays.equals(value, that.value)
                && headers.equals(that.headers)
                && Objects.equals(sequence, that.sequence);
    }

    @Override
    public int hashCode() {
        return Objects.hash(partition, Arrays.hashCode(key), Arrays.hashCode(value), headers, sequence);
    }

    @Override
    public String toString() {
        return "AppendRecord[partition=" + partition + ", key=" + (key == null ? "none" : key.length + " bytes")
                + ", value=" + (value == null ? "none" : value.length + " bytes") + ", headers=" + headers
                + ", sequence=" + sequence + "]";
    }
}
