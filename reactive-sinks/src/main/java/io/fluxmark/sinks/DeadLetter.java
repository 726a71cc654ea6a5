package io.fluxmark.sinks;

import io.fluxmark.log.LogRecord;
import org.jspecify.annotations.Nullable;

/**
 * A record that a job could not use.
 *
 * @param topic the topic it came from
 * @param record the record as it stands in the log
 * @param reason what is wrong with it
 * @param cause class and message of what was thrown, at most 4,000 characters; null where nothing was
 */
public record DeadLetter(String topic, LogRecord record, String reason, @Nullable String cause) {

    static final int MOST_CHARACTERS = 4_000;

    /** An exception in words that fit into a row. */
    static @Nullable String describe(@Nullable Throwable cause) {
        return cause == null ? null : shortened(cause.toString());
    }

    static String shortened(String text) {
        return text.length() <= MOST_CHARACTERS ? text : text.substring(0, MOST_CHARACTERS);
    }
}
