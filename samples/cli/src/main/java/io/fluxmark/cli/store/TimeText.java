package io.fluxmark.cli.store;

import io.fluxmark.windows.Watermark;
import java.time.Instant;
import java.time.format.DateTimeParseException;

/** How times of events are written and read. Stateless. */
final class TimeText {

    private TimeText() {}

    /** An ISO time; {@code none} and {@code end} where there is no time yet, or none any more. */
    static String of(long epochMillis) {
        if (epochMillis == Watermark.NONE) {
            return "none";
        }
        return epochMillis == Watermark.END
                ? "end"
                : Instant.ofEpochMilli(epochMillis).toString();
    }

    /** Throws {@link IllegalArgumentException} with the remedy. */
    static Instant parse(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException("'" + text + "' is no time: write it as 2026-01-05T08:00:00Z", e);
        }
    }
}
