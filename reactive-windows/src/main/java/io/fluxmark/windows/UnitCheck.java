package io.fluxmark.windows;

import java.time.Instant;
import java.util.function.Consumer;
import reactor.util.Loggers;

/**
 * Looks at the first timestamps of a lane: when all of them lie where only another unit than the millisecond would put
 * them, that is said once (S37). It only looks; what happens to the events is for others to decide.
 */
final class UnitCheck {

    /** How many timestamps are looked at. */
    static final int SAMPLE = 100;

    /** 2001-09-09: seconds stay below it until the year 33658. */
    private static final long EARLIEST = 1_000_000_000_000L;

    /** 2286-11-20: microseconds since 1970-04-26 lie above it. */
    private static final long LATEST = 10_000_000_000_000L;

    private final String operator;
    private final Consumer<String> warning;
    private int seen;
    private long smallest = Long.MAX_VALUE;
    private long largest = Long.MIN_VALUE;

    UnitCheck(String operator) {
        this(operator, text -> Loggers.getLogger(EventTime.class).warn(text));
    }

    UnitCheck(String operator, Consumer<String> warning) {
        this.operator = operator;
        this.warning = warning;
    }

    /** Whether more timestamps are wanted. */
    boolean isOpen() {
        return seen < SAMPLE;
    }

    /** Takes a timestamp as it was read, usable or not. */
    void see(long timestamp) {
        if (seen == SAMPLE) {
            return;
        }
        smallest = Math.min(smallest, timestamp);
        largest = Math.max(largest, timestamp);
        if (++seen == SAMPLE) {
            judge();
        }
    }

    private void judge() {
        if (largest < EARLIEST) {
            warn("before 2001-09-09 (10^12 ms), the largest is " + text(largest), "seconds", "multiply by 1000");
        } else if (smallest > LATEST) {
            warn(
                    "after 2286-11-20 (10^13 ms), the smallest is " + text(smallest),
                    "microseconds or nanoseconds",
                    "divide by 1000 or 1000000");
        }
    }

    private void warn(String where, String unit, String remedy) {
        warning.accept("The first " + SAMPLE + " timestamps of " + operator + " all lie " + where + ". They are read as"
                + " milliseconds since 1970-01-01T00:00Z: if they are " + unit + ", " + remedy
                + ", or give instants. Otherwise nothing is wrong");
    }

    private static String text(long timestamp) {
        boolean hasDate = Math.abs(timestamp) <= WindowSpec.MAX_MILLIS / 100;
        return timestamp + (hasDate ? " (" + Instant.ofEpochMilli(timestamp) + ")" : "");
    }
}
