package io.fluxmark.windows;

import java.time.Instant;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads the event time of an event.
 *
 * @param <T> the events
 */
@FunctionalInterface
public interface TimestampFunction<T> {

    /** The event time in milliseconds since the epoch. An exception makes the event invalid, not the stream. */
    long epochMillis(T event);

    /** From a function that gives instants; null makes the event invalid. Finer than a millisecond is cut off (floor). */
    static <T> TimestampFunction<T> ofInstant(Function<? super T, ? extends @Nullable Instant> function) {
        return event -> {
            Instant instant = function.apply(event);
            if (instant == null) {
                throw new IllegalArgumentException("the event has no time");
            }
            return instant.toEpochMilli();
        };
    }
}
