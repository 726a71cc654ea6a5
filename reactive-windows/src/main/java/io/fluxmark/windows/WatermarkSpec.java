package io.fluxmark.windows;

import java.time.Duration;

/**
 * How event time becomes a watermark, and which timestamps may not take part. Immutable.
 *
 * <p>A window's last result appears only once the watermark has passed its end: after the last event of a silent stream
 * nothing fires until another event comes or the stream ends (S30, S33).
 */
public final class WatermarkSpec {

    /**
     * The name under which the operator that gives events their time commits, with {@link StateTransaction#longs}, the
     * largest timestamp and the watermark that follows from it.
     */
    public static final String STATE_NAME = "maximum";

    /** What happens to an event whose timestamp lies beyond the guard (S36). */
    public enum FarFuture {
        /** It is invalid: counted, and handed to the invalid output. The default. */
        REJECT,
        /** It flows, but does not move the watermark. */
        HOLD_WATERMARK,
        /** It is taken as it is: one fast clock can make all others late. */
        TRUST
    }

    private static final Duration DEFAULT_AHEAD = Duration.ofHours(1);

    private final long delay;
    private final long maxAhead;
    private final FarFuture farFuture;

    private WatermarkSpec(long delay, long maxAhead, FarFuture farFuture) {
        this.delay = delay;
        this.maxAhead = maxAhead;
        this.farFuture = farFuture;
    }

    /**
     * The watermark follows the largest timestamp at a distance: after an event at {@code t} no event before
     * {@code t - delay} is expected (S04). It moves with every event, never back, and never by how events are batched.
     *
     * @param delay at least 0
     */
    public static WatermarkSpec boundedOutOfOrderness(Duration delay) {
        long millis = WindowSpec.millis(delay, "delay");
        if (millis < 0) {
            throw new IllegalArgumentException("an out-of-orderness bound is at least 0 but was " + delay);
        }
        return new WatermarkSpec(millis, DEFAULT_AHEAD.toMillis(), FarFuture.REJECT);
    }

    /**
     * The guard against clocks that run ahead: how far in the future, by the pipeline's clock, a timestamp may lie; one
     * hour by default (S36).
     */
    public WatermarkSpec maxAhead(Duration ahead) {
        long millis = WindowSpec.millis(ahead, "guard");
        if (millis < 0) {
            throw new IllegalArgumentException("a guard is at least 0 but was " + ahead);
        }
        return new WatermarkSpec(delay, millis, farFuture);
    }

    /** What happens to an event beyond the guard; {@link FarFuture#REJECT} by default. */
    public WatermarkSpec onFarFuture(FarFuture policy) {
        return new WatermarkSpec(delay, maxAhead, policy);
    }

    /** The out-of-orderness bound, ms. */
    public long delayMillis() {
        return delay;
    }

    /** The guard, ms. */
    public long maxAheadMillis() {
        return maxAhead;
    }

    /** What happens to an event beyond the guard. */
    public FarFuture farFuture() {
        return farFuture;
    }
}
