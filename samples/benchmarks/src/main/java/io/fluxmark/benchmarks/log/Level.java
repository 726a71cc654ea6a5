package io.fluxmark.benchmarks.log;

import io.fluxmark.log.Durability;
import java.time.Duration;
import java.util.Locale;

/** When what is appended is forced to the disk, by the log and by the plain loop. */
public enum Level {
    /** By neither. */
    OS,
    /** Every 10 ms by both. */
    INTERVAL,
    /** By the log before it answers, by the plain loop after each block. */
    SYNC;

    static final long INTERVAL_NANOS = 10_000_000;

    /** What the log is opened with. */
    public Durability durability() {
        return switch (this) {
            case OS -> Durability.OS;
            case INTERVAL -> Durability.interval(Duration.ofNanos(INTERVAL_NANOS));
            case SYNC -> Durability.SYNC;
        };
    }

    @Override
    public String toString() {
        return this == INTERVAL ? "interval 10 ms" : name().toLowerCase(Locale.ROOT);
    }
}
