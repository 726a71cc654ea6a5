package io.fluxmark.log;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What a topic keeps: everything, or what is not too old and not too much. Immutable: each method returns a changed copy.
 *
 * <p>Whole segments are deleted, the oldest first, never the one being written; so somewhat more is kept than is asked for. What a
 * {@link RetentionFloor} still needs is kept whatever is said here.
 */
public final class Retention {

    private static final Retention FOREVER = new Retention(null, null);
    private static final Duration MAX_AGE = Duration.ofDays(36_500);

    private final @Nullable Duration maxAge;
    private final @Nullable Long maxBytes;

    private Retention(@Nullable Duration maxAge, @Nullable Long maxBytes) {
        this.maxAge = maxAge;
        this.maxBytes = maxBytes;
    }

    /** Everything is kept. */
    public static Retention forever() {
        return FOREVER;
    }

    /**
     * Deletes a segment when its newest record was appended so long ago, by the log's clock; the records' own timestamps say
     * nothing here. A time in the future, of a clock that was wrong, counts as the time the next segment was begun.
     *
     * @param value 1 millisecond to 36,500 days, in whole milliseconds
     */
    public Retention maxAge(Duration value) {
        Objects.requireNonNull(value, "maxAge");
        if (value.compareTo(Duration.ofMillis(1)) < 0 || value.compareTo(MAX_AGE) > 0) {
            throw new IllegalArgumentException("maxAge must be between PT0.001S and " + MAX_AGE + " but was " + value
                    + "; use Retention.forever() to keep records of any age");
        }
        return new Retention(Duration.ofMillis(value.toMillis()), maxBytes);
    }

    /**
     * Deletes a segment when the segments after it have so many bytes.
     *
     * @param value at least 1, for each partition
     */
    public Retention maxBytes(long value) {
        if (value < 1) {
            throw new IllegalArgumentException("maxBytes must be at least 1 but was " + value
                    + "; use Retention.forever() to keep any number of bytes");
        }
        return new Retention(maxAge, value);
    }

    /** The age at which records are deleted, empty if never. */
    public Optional<Duration> maxAge() {
        return Optional.ofNullable(maxAge);
    }

    /** The bytes kept for each partition, empty if all. */
    public OptionalLong maxBytes() {
        return maxBytes == null ? OptionalLong.empty() : OptionalLong.of(maxBytes);
    }

    boolean isForever() {
        return maxAge == null && maxBytes == null;
    }

    /** Whether what was appended last at a moment is too old now, both in epoch ms; what was appended in the future is not. */
    boolean isExpired(long appended, long now) {
        return maxAge != null && appended <= now && now - appended >= maxAge.toMillis();
    }

    /** Whether so many bytes are enough without anything older. */
    boolean suffices(long bytes) {
        return maxBytes != null && bytes >= maxBytes;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Retention that
                && Objects.equals(maxAge, that.maxAge)
                && Objects.equals(maxBytes, that.maxBytes);
    }

    @Override
    public int hashCode() {
        return Objects.hash(maxAge, maxBytes);
    }

    @Override
    public String toString() {
        return "Retention[maxAge=" + (maxAge == null ? "unlimited" : maxAge) + ", maxBytes="
                + (maxBytes == null ? "unlimited" : maxBytes) + "]";
    }
}
