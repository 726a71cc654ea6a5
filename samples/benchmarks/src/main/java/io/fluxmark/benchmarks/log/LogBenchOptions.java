package io.fluxmark.benchmarks.log;

import java.time.Duration;

/**
 * How much of the log to measure.
 *
 * @param records in a stream, at least 1,000; with SYNC a quarter of them
 * @param appends by each number of single appenders, at least 1,000; with SYNC a tenth of them, but 50 for each appender at least
 * @param warmups rounds that do not count, at least 1
 * @param rounds rounds that count, at least 3
 * @param idle how long idle readers are watched
 */
public record LogBenchOptions(long records, long appends, int warmups, int rounds, Duration idle) {

    private static final int LEAST = 1_000;
    private static final int LEAST_ROUNDS = 3;

    /** 8 M records, 200,000 single appends, 2 warm-ups, 5 rounds, 5 s. */
    public static final LogBenchOptions DEFAULTS = new LogBenchOptions(8_000_000, 200_000, 2, 5, Duration.ofSeconds(5));

    /** Throws {@link IllegalArgumentException} for what can't be measured. */
    public LogBenchOptions {
        require("--records", records, LEAST);
        require("--appends", appends, LEAST);
        require("--warmups", warmups, 1);
        require("--rounds", rounds, LEAST_ROUNDS);
    }

    long records(Level level) {
        return level == Level.SYNC ? Math.max(1, records / 4) : records;
    }

    long appends(Level level, int appenders) {
        long all = level == Level.SYNC ? Math.max(appends / 10, 50L * appenders) : appends;
        // One alone is slow, and so is measured soon enough.
        return appenders == 1 ? all / 10 : all / appenders * appenders;
    }

    private static void require(String option, long value, long least) {
        if (value < least) {
            throw new IllegalArgumentException(option + " is " + value + ": use " + least + " or more");
        }
    }
}
