package io.fluxmark.windows;

import java.time.Duration;

/**
 * Which events of two streams belong together by their times: those of the right one from {@code lower} to {@code upper} ms
 * behind one of the left, both included (S44). Immutable data without an element type: the same definition runs in a pipeline
 * and in plain batch.
 *
 * @param lower ms, at most {@code upper}; negative where the right one may be earlier
 * @param upper ms
 */
public record JoinInterval(long lower, long upper) {

    /** Checks the bounds. */
    public JoinInterval {
        if (lower > upper) {
            throw new IllegalArgumentException("an interval from " + lower + " to " + upper
                    + " ms holds nothing: give the lower bound first, or a longer after");
        }
        if (Math.max(Math.abs(lower), Math.abs(upper)) > WindowSpec.MAX_MILLIS) {
            throw new IllegalArgumentException(
                    "an interval from " + lower + " to " + upper + " ms is beyond " + WindowSpec.MAX_MILLIS + " ms");
        }
    }

    /**
     * From so long before the left event to so long after it. Either may be negative: {@code within(ofSeconds(-1),
     * ofSeconds(3))} is from 1 s to 3 s after it.
     */
    public static JoinInterval within(Duration before, Duration after) {
        return new JoinInterval(-WindowSpec.millis(before, "time before"), WindowSpec.millis(after, "time after"));
    }

    /** Whether events at these times, epoch ms, belong together. */
    public boolean joins(long left, long right) {
        return right >= add(left, lower) && right <= add(left, upper);
    }

    /** The first time, epoch ms, of what may be joined with a left event at {@code left}. */
    long firstRight(long left) {
        return add(left, lower);
    }

    long lastRight(long left) {
        return add(left, upper);
    }

    /** The same of a right event at {@code right}. */
    long firstLeft(long right) {
        return add(right, -upper);
    }

    long lastLeft(long right) {
        return add(right, -lower);
    }

    /** For how long after its time a left event may still find a partner, ms: at a watermark that far behind it is let go. */
    public long leftStays() {
        return Math.max(upper, 0);
    }

    /** The same of a right event. */
    public long rightStays() {
        return Math.max(-lower, 0);
    }

    /** The times that one event may be joined with, ms. */
    long span() {
        return upper - lower;
    }

    private static long add(long time, long millis) {
        long sum = time + millis;
        if (((time ^ sum) & (millis ^ sum)) < 0) {
            return millis < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
        return sum;
    }

    @Override
    public String toString() {
        return "from " + lower + " to " + upper + " ms";
    }
}
