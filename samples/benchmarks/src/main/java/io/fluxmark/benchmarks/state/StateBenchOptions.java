package io.fluxmark.benchmarks.state;

/**
 * How much state to measure.
 *
 * @param keys entries, at least 1,000
 * @param updates with each choice of keys, at least 1,000; as many as the time allows if that is limited
 * @param seconds for each choice of keys, 1 or more; 0 for as long as the updates take
 * @param lanes that update at a time, each its share of the keys, 1 to 64
 * @param stateMegabytes heap for entries, all lanes together, and as much again for changes on the way into the file; 1 or
 *     more
 * @param cacheMegabytes page cache of the store, 1 or more
 */
public record StateBenchOptions(
        long keys, long updates, int seconds, int lanes, int stateMegabytes, int cacheMegabytes) {

    private static final int LEAST = 1_000;
    private static final int MOST_LANES = 64;

    /** 20 M keys, 4 M updates, 2 lanes, 64 MiB each for entries and pages. */
    public static final StateBenchOptions DEFAULTS = new StateBenchOptions(20_000_000, 4_000_000, 0, 2, 64, 64);

    /** Throws {@link IllegalArgumentException} for what can't be measured. */
    public StateBenchOptions {
        require("--keys", keys, LEAST);
        require("--updates", updates, LEAST);
        require("--seconds", seconds, 0);
        require("--lanes", lanes, 1);
        require("--state-mb", stateMegabytes, 1);
        require("--cache-mb", cacheMegabytes, 1);
        if (lanes > MOST_LANES) {
            throw new IllegalArgumentException("--lanes is " + lanes + ": use " + MOST_LANES + " or fewer");
        }
    }

    long keysOf(int lane) {
        return keys / lanes + (lane < keys % lanes ? 1 : 0);
    }

    long updatesOf(int lane) {
        return seconds > 0 ? Long.MAX_VALUE : updates / lanes + (lane < updates % lanes ? 1 : 0);
    }

    private static void require(String option, long value, long least) {
        if (value < least) {
            throw new IllegalArgumentException(option + " is " + value + ": use " + least + " or more");
        }
    }
}
