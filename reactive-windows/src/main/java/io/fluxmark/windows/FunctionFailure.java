package io.fluxmark.windows;

import org.jspecify.annotations.Nullable;

/**
 * An event that a function has failed on, left out by {@link EventFlux#onFailure}.
 *
 * @param event what the function was given: the event, the result where the function stands behind a window, or a {@link DueTimer}
 * @param operator the name of the operator whose function it is, as {@code map-2}
 * @param timestamp the event's time, epoch ms; {@link #NO_TIME} where it has none yet
 * @param position where the event stands in its source; null where that isn't known, as behind a window
 * @param cause what the function has thrown
 */
public record FunctionFailure(
        Object event, String operator, long timestamp, @Nullable EventPosition position, Exception cause) {

    /** The time of an event that has none yet. */
    public static final long NO_TIME = Long.MIN_VALUE;

    /** The same of an operator with another name. */
    FunctionFailure of(String name) {
        return new FunctionFailure(event, name, timestamp, position, cause);
    }
}
