package io.fluxmark.log;

import java.time.Duration;
import java.util.Objects;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/** How records are handed to a handler. Immutable: each method returns a changed copy. */
public final class ConsumeSpec {

    private static final ConsumeSpec DEFAULTS = new ConsumeSpec(1, null, null);

    private final int concurrency;
    private final @Nullable Duration limit;
    private final @Nullable BiFunction<ConsumerRecord, Throwable, Publisher<?>> deadLetter;

    private ConsumeSpec(
            int concurrency,
            @Nullable Duration limit,
            @Nullable BiFunction<ConsumerRecord, Throwable, Publisher<?>> deadLetter) {
        this.concurrency = concurrency;
        this.limit = limit;
        this.deadLetter = deadLetter;
    }

    /** One record of each partition at a time, for as long as it takes; the first failure ends it. */
    public static ConsumeSpec defaults() {
        return DEFAULTS;
    }

    /**
     * How many records of a partition are handled at a time; with more than one they may finish in any order.
     *
     * @param value 1 to {@link GroupSpec#maxUnacknowledged}
     */
    public ConsumeSpec concurrencyPerPartition(int value) {
        if (value < 1) {
            throw new IllegalArgumentException("concurrencyPerPartition must be at least 1 but was " + value);
        }
        return new ConsumeSpec(value, limit, deadLetter);
    }

    /**
     * How long a record may take, by the log's clock; then it has failed with {@link RecordTimeoutException} and its work is cancelled.
     *
     * @param value at least 1 millisecond
     */
    public ConsumeSpec recordTimeout(Duration value) {
        if (Objects.requireNonNull(value, "recordTimeout").compareTo(Duration.ofMillis(1)) < 0) {
            throw new IllegalArgumentException("recordTimeout must be at least PT0.001S but was " + value);
        }
        return new ConsumeSpec(concurrency, value, deadLetter);
    }

    /**
     * Takes records that failed, with what they failed with. A record counts as finished when the result completes; if that fails,
     * consuming ends with it.
     */
    public ConsumeSpec deadLetter(BiFunction<ConsumerRecord, Throwable, Publisher<?>> value) {
        return new ConsumeSpec(concurrency, limit, Objects.requireNonNull(value, "deadLetter"));
    }

    int concurrency() {
        return concurrency;
    }

    @Nullable
    Duration limit() {
        return limit;
    }

    @Nullable
    BiFunction<ConsumerRecord, Throwable, Publisher<?>> deadLetter() {
        return deadLetter;
    }
}
