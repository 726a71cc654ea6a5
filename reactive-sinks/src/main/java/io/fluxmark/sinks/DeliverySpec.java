package io.fluxmark.sinks;

import java.time.Duration;
import reactor.core.scheduler.Scheduler;
import reactor.util.retry.Retry;
import reactor.util.retry.RetryBackoffSpec;

/**
 * How committed rows are brought elsewhere: how many may wait, how many go together, how often and when a failed attempt is
 * repeated. Immutable: each method returns a changed copy. Time is that of the job's scheduler.
 */
public final class DeliverySpec {

    private static final DeliverySpec DEFAULTS =
            new DeliverySpec(50_000, 500, 16, 20, Duration.ofMillis(10), Duration.ofSeconds(5));

    private final int unsent;
    private final int batch;
    private final int concurrency;
    private final int attempts;
    private final Duration firstBackoff;
    private final Duration maxBackoff;

    private DeliverySpec(
            int unsent, int batch, int concurrency, int attempts, Duration firstBackoff, Duration maxBackoff) {
        this.unsent = unsent;
        this.batch = batch;
        this.concurrency = concurrency;
        this.attempts = attempts;
        this.firstBackoff = firstBackoff;
        this.maxBackoff = maxBackoff;
    }

    /** The defaults given at each setting. */
    public static DeliverySpec defaults() {
        return DEFAULTS;
    }

    /**
     * How many rows of a lane may wait to be delivered, at least 1; default 50,000. Beyond it the lane takes no more input:
     * the job slows down to the pace of the receiver. The rows of the barrier that goes beyond it come on top.
     */
    public DeliverySpec unsent(int rows) {
        return new DeliverySpec(positive("unsent rows", rows), batch, concurrency, attempts, firstBackoff, maxBackoff);
    }

    /** How many rows of a lane are under way at once at most, at least 1; default 500, or a MiB of them where that is less. */
    public DeliverySpec batch(int rows) {
        return new DeliverySpec(unsent, positive("batch", rows), concurrency, attempts, firstBackoff, maxBackoff);
    }

    /** To how many keys of a lane an outbox delivers at the same time, at least 1; default 16. */
    public DeliverySpec concurrency(int keys) {
        return new DeliverySpec(unsent, batch, positive("concurrency", keys), attempts, firstBackoff, maxBackoff);
    }

    /**
     * How often delivery is attempted, and how long is waited between: the first time, then twice as long each time, up to
     * the maximum, each time up to half more or less by chance. Default 20 times, 10 ms, 5 s.
     *
     * @param attempts at least 1, the first included
     * @param first positive
     * @param maximum at least {@code first}
     */
    public DeliverySpec attempts(int attempts, Duration first, Duration maximum) {
        if (first.isNegative() || first.isZero() || maximum.compareTo(first) < 0) {
            throw new IllegalArgumentException(
                    "a backoff begins above 0 and ends above its begin, but was from " + first + " to " + maximum);
        }
        return new DeliverySpec(unsent, batch, concurrency, positive("attempts", attempts), first, maximum);
    }

    int unsent() {
        return unsent;
    }

    int batch() {
        return batch;
    }

    int concurrency() {
        return concurrency;
    }

    /** Repeats what fails; when all attempts have failed, the last failure is the error. */
    RetryBackoffSpec retry(Scheduler clock) {
        return Retry.backoff(attempts - 1L, firstBackoff)
                .maxBackoff(maxBackoff)
                .scheduler(clock)
                .onRetryExhaustedThrow((spec, signal) -> signal.failure());
    }

    private static int positive(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " must be at least 1 but was " + value);
        }
        return value;
    }
}
