package io.fluxmark.windows;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How event time becomes a watermark, and which timestamps may not take part. Immutable; each method returns a changed
 * copy.
 *
 * <p>A window's last result appears only once the watermark has passed its end: after the last event of a silent stream
 * nothing fires until another event comes, the stream ends (S33), or, where it was chosen, the clock takes over
 * ({@link #followClockWhenIdle}, S30).
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

    /** The value of a time-out that is not set. */
    static final long NEVER = -1;

    private static final Duration DEFAULT_AHEAD = Duration.ofHours(1);

    /** Null where there is a bound. */
    private final @Nullable Supplier<? extends WatermarkGenerator> generator;

    /** The bound of {@link #boundedOutOfOrderness}, or {@link #NEVER} with a generator. */
    private final long delay;

    private final long maxAhead;
    private final FarFuture farFuture;

    /** Nanoseconds, or {@link #NEVER}. */
    private final long idleAfter;

    private final long followAfter;

    private WatermarkSpec(
            @Nullable Supplier<? extends WatermarkGenerator> generator,
            long delay,
            long maxAhead,
            FarFuture farFuture,
            long idleAfter,
            long followAfter) {
        this.generator = generator;
        this.delay = delay;
        this.maxAhead = maxAhead;
        this.farFuture = farFuture;
        this.idleAfter = idleAfter;
        this.followAfter = followAfter;
    }

    private static WatermarkSpec of(@Nullable Supplier<? extends WatermarkGenerator> generator, long delay) {
        return new WatermarkSpec(generator, delay, DEFAULT_AHEAD.toMillis(), FarFuture.REJECT, NEVER, NEVER);
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
        return of(null, millis);
    }

    /** Timestamps do not fall: the same as a {@link #boundedOutOfOrderness bound} of 0. Equal ones are not late. */
    public static WatermarkSpec ascending() {
        return boundedOutOfOrderness(Duration.ZERO);
    }

    /**
     * Watermarks made by a generator of one's own.
     *
     * @param generators called once for each partition of each lane
     */
    public static WatermarkSpec generator(Supplier<? extends WatermarkGenerator> generators) {
        return of(Objects.requireNonNull(generators, "generators"), NEVER);
    }

    /**
     * The watermark follows the largest timestamp at a distance that is found from the events, so that a wanted share of them is
     * in time; each partition has its own. It begins with the longest delay, and never moves back. See {@link AutoDelay}; what has
     * been chosen tells {@link PartitionProgress#delay}.
     */
    public static WatermarkSpec autoTuned(AutoDelay delay) {
        Objects.requireNonNull(delay, "delay");
        return of(() -> new AutoWatermark(delay), NEVER);
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
        return new WatermarkSpec(generator, delay, millis, farFuture, idleAfter, followAfter);
    }

    /** What happens to an event beyond the guard; {@link FarFuture#REJECT} by default. */
    public WatermarkSpec onFarFuture(FarFuture policy) {
        return new WatermarkSpec(
                generator, delay, maxAhead, Objects.requireNonNull(policy, "policy"), idleAfter, followAfter);
    }

    /**
     * A partition that is silent for so long is idle: it holds no watermark back until its next event (S27). Silence
     * counts only while everything that there is has been read and downstream has demand: back-pressure and unread data
     * never make a partition idle (S28). By default no partition is ever idle.
     *
     * @param silence more than 0
     */
    public WatermarkSpec idleAfter(Duration silence) {
        return new WatermarkSpec(generator, delay, maxAhead, farFuture, nanos(silence, "idle time-out"), followAfter);
    }

    /**
     * Lets the last windows of a silent stream fire: once every partition has been silent for {@code silence}, counted as
     * for {@link #idleAfter}, the watermark goes on with the clock, at the pace of time: largest timestamp + silence so far
     * - delay - 1 (S30). What fires so is marked {@link WindowResult#byTimeout}.
     *
     * <p>The watermark moves first when {@code silence} has passed, then in steps of a tenth of it, or of 1 ms if that is
     * more, and stands still again with the next event. An event behind it is late.
     *
     * <p>This ties results to the clock: a replay of the same events without the same pauses gives others. Each advance is
     * part of the next transaction, so a restart does not take one back.
     *
     * @param silence more than 0
     */
    public WatermarkSpec followClockWhenIdle(Duration silence) {
        return new WatermarkSpec(
                generator,
                delay,
                maxAhead,
                farFuture,
                idleAfter,
                nanos(silence, "silence before the clock is followed"));
    }

    private static long nanos(Duration duration, String what) {
        if (duration.isNegative() || duration.isZero()) {
            throw new IllegalArgumentException("the " + what + " is more than 0 but was " + duration);
        }
        try {
            return duration.toNanos();
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("the " + what + " is at most 292 years but was " + duration, e);
        }
    }

    /** A new generator, for one partition of one lane, or null where there is a bound. */
    @Nullable
    WatermarkGenerator newGenerator() {
        return generator == null
                ? null
                : Objects.requireNonNull(generator.get(), "the supplier of watermark generators returned null");
    }

    /** Whether watermarks come from a generator, which has a state. */
    boolean hasGenerator() {
        return generator != null;
    }

    /** Whether silence matters: there has to be a clock that runs while nothing comes. */
    boolean watchesSilence() {
        return idleAfter != NEVER || followAfter != NEVER;
    }

    /** The idle time-out, ns, or {@link #NEVER}. */
    long idleAfterNanos() {
        return idleAfter;
    }

    /** The silence before the clock is followed, ns, or {@link #NEVER}. */
    long followAfterNanos() {
        return followAfter;
    }

    /** The out-of-orderness bound, ms; -1 where it is {@link #autoTuned} and with a {@link #generator} of one's own. */
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

    /** The idle time-out, or null without one. */
    @Nullable
    Duration idleTimeout() {
        return idleAfter == NEVER ? null : Duration.ofNanos(idleAfter);
    }

    /** The silence after which the watermark follows the clock, or null where it never does. */
    @Nullable
    Duration clockFollowedAfter() {
        return followAfter == NEVER ? null : Duration.ofNanos(followAfter);
    }
}
