package io.fluxmark.sinks;

import java.time.Duration;

/**
 * How often a job had better commit, by the square-root rule of Young and Daly: with a cost C for each checkpoint and a failure every
 * M on the average, least time is lost at an interval of sqrt(2 C M). A shorter one pays more for checkpoints, a longer one does more
 * work again after a failure. The curve is flat there: half or twice the interval loses a quarter more.
 *
 * <p>The rule knows nothing of how long a result may take until it is durable, which is often the better reason for an interval.
 *
 * @param cost time lost to one checkpoint, positive
 * @param restart time lost to a failure before work begins again, not negative; loses the same at any interval, so it does not
 *     change the advice
 * @param betweenFailures the mean time between failures, positive
 */
public record CheckpointAdvice(Duration cost, Duration restart, Duration betweenFailures) {

    /** Rejects what is out of range. */
    public CheckpointAdvice {
        positive("the cost of a checkpoint", cost);
        positive("the mean time between failures", betweenFailures);
        if (restart.isNegative()) {
            throw new IllegalArgumentException("a restart takes no negative time but was given " + restart);
        }
    }

    private static void positive(String what, Duration duration) {
        if (duration.isNegative() || duration.isZero()) {
            throw new IllegalArgumentException(what + " is positive but was " + duration);
        }
    }

    /** The interval at which least time is lost; never shorter than one checkpoint takes. */
    public Duration interval() {
        double nanos = Math.sqrt(2.0 * cost.toNanos() * (double) betweenFailures.toNanos());
        return Duration.ofNanos(Math.max(cost.toNanos(), (long) nanos));
    }

    /**
     * The share of all time that is lost at an interval, to checkpoints, to restarts and to what is done again; about, and above 1
     * where nothing gets done at all.
     *
     * @param interval positive
     */
    public double lossAt(Duration interval) {
        positive("a checkpoint interval", interval);
        double nanos = interval.toNanos();
        return cost.toNanos() / nanos + (nanos / 2 + restart.toNanos()) / betweenFailures.toNanos();
    }
}
