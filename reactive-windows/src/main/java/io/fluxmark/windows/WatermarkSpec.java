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

    /** Milliseconds, or {@link #NEVER}. */
    private final long maxSkew;

    private WatermarkSpec(
            @Nullable Supplier<? extends WatermarkGenerator> generator,
            long delay,
            long maxAhead,
            FarFuture farFuture,
            long idleAfter,
            long followAfter,
            long maxSkew) {
        this.generator = generator;
        this.delay = delay;
        this.maxAhead = maxAhead;
        this.farFuture = farFuture;
        this.idleAfter = idleAfter;
        this.followAfter = followAfter;
        this.maxSkew = maxSkew;
    }

    private static WatermarkSpec of(@Nullable Supplier<? extends WatermarkGenerator> generator, long delay) {
        return new WatermarkSpec(generator, delay, DEFAULT_AHEAD.toMillis(), FarFuture.REJECT, NEVER, NEVER, NEVER);
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
        return new WatermarkSpec(generator, delay, millis, farFuture, idleAfter, followAfter, maxSkew);
    }

    /** What happens to an event beyond the guard; {@link FarFuture#REJECT} by default. */
    public WatermarkSpec onFarFuture(FarFuture policy) {
        return new WatermarkSpec(
                generator, delay, maxAhead, Objects.requireNonNull(policy, "policy"), idleAfter, followAfter, maxSkew);
    }

    /**
     * A partition that is silent for so long is idle: it holds no watermark back until its next event (S27). Silence
     * counts only while everything that there is has been read and downstream has demand: back-pressure and unread data
     * never make a partition idle (S28). By default no partition is ever idle.
     *
     * @param silence more than 0
     */
    public WatermarkSpec idleAfter(Duration silence) {
        return new WatermarkSpec(
                generator, delay, maxAhead, farFuture, nanos(silence, "idle time-out"), followAfter, maxSkew);
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
                nanos(silence, "silence before the clock is followed"),
                maxSkew);
    }

    /**
     * Keeps the partitions of a merged stream together (S35): one whose watermark is more than {@code skew} ahead of that of
     * another, which has nothing to read at the moment, is not read further, nor requested from, until the other has come closer,
     * is idle, or has ended. So what windows and joins have to keep is bounded by time where one input is slow. Nothing is
     * dropped, and the order of reading stays: the earliest event at hand first. With what has events at hand nobody has to
     * wait, however far it is behind, since it is read first.
     *
     * <p>It needs {@link #idleAfter}: who waits for a partition that never has an event again would wait for ever. In {@link
     * EventFlux#merge} it is sources that are kept together. In a job with {@code keyBy} it is the partitions of the topic, by
     * their largest timestamps, and the lane stands still meanwhile; barriers come all the same. The lanes of {@code
     * keyByRecordKey} have watermarks of their own, and nothing to wait for.
     *
     * @param skew at least 0
     */
    public WatermarkSpec alignedWithin(Duration skew) {
        long millis = WindowSpec.millis(skew, "skew");
        if (millis < 0) {
            throw new IllegalArgumentException("a skew is at least 0 but was " + skew);
        }
        return new WatermarkSpec(generator, delay, maxAhead, farFuture, idleAfter, followAfter, millis);
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

    /** How far partitions may be apart, ms; {@link #NEVER} where that plays no part. */
    long maxSkewMillis() {
        return maxSkew;
    }

    /** Refuses an alignment that could wait for ever. */
    void check() {
        if (maxSkew != NEVER && idleAfter == NEVER) {
            throw new IllegalStateException(
                    "partitions are to be aligned within " + maxSkew
                            + " ms, and one that falls silent would hold the others for ever: say with idleAfter when it is idle");
        }
    }

    /** The same where there is only one stream to read. */
    void requireNotAligned() {
        if (maxSkew != NEVER) {
            throw new IllegalStateException(
                    "the events come in one stream, of which no partition can be read without the"
                            + " others: align what is merged, by EventFlux.merge or in a job with keyBy, or leave alignedWithin out");
        }
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
