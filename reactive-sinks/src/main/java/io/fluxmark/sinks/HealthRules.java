package io.fluxmark.sinks;

/**
 * When a job that runs is no longer well. Immutable.
 *
 * @param lateIntervals after how many checkpoint intervals without a checkpoint, while there are records that are not
 *     committed, it is degraded; at least 1
 * @param downIntervals after how many it is down; more than that
 * @param maxLag beyond how many records that are not committed it is degraded; at least 0
 */
public record HealthRules(int lateIntervals, int downIntervals, long maxLag) {

    /** Checks the limits. */
    public HealthRules {
        if (lateIntervals < 1 || downIntervals <= lateIntervals) {
            throw new IllegalArgumentException(
                    "a job is degraded after at least 1 interval without a checkpoint and down after"
                            + " more, but these were " + lateIntervals + " and " + downIntervals);
        }
        if (maxLag < 0) {
            throw new IllegalArgumentException("a lag is at least 0 records but the limit was " + maxLag);
        }
    }

    /** Degraded after 5 intervals, down after 60, however large the lag. */
    public static HealthRules defaults() {
        return new HealthRules(5, 60, Long.MAX_VALUE);
    }

    /** The same with another limit of the lag. */
    public HealthRules withMaxLag(long records) {
        return new HealthRules(lateIntervals, downIntervals, records);
    }
}
