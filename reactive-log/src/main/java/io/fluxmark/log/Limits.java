package io.fluxmark.log;

import java.time.Duration;
import java.util.Objects;

/** What settings may be. Pure functions. */
final class Limits {

    /** As good as for ever. */
    static final Duration LONGEST = Duration.ofDays(36_500);

    private Limits() {}

    /** The value, or {@link IllegalArgumentException} with its name and limits. */
    static long within(String name, long value, long min, long max) {
        if (value < min || value > max) {
            throw outside(name, value, min, max);
        }
        return value;
    }

    /** The same of durations. */
    static Duration within(String name, Duration value, Duration min, Duration max) {
        Objects.requireNonNull(value, name);
        if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
            throw outside(name, value, min, max);
        }
        return value;
    }

    private static IllegalArgumentException outside(String name, Object value, Object min, Object max) {
        return new IllegalArgumentException(name + " must be between " + min + " and " + max + " but was " + value);
    }
}
