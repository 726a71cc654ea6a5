package io.fluxmark.cli;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Durations as people write them: {@code 30s}, {@code 2h}, {@code 1h30m}, {@code 1d}, {@code 0}. */
final class DurationConverter implements ITypeConverter<Duration> {

    @Override
    public Duration convert(String value) {
        String text = value.trim().toUpperCase(Locale.ROOT);
        if (text.equals("0")) {
            return Duration.ZERO;
        }
        try {
            Duration duration = Duration.parse(text.startsWith("P") ? text : iso(text));
            if (duration.isNegative()) {
                throw new TypeConversionException("'" + value + "' is negative: use 0 or more, for example 2h");
            }
            return duration;
        } catch (DateTimeParseException e) {
            throw new TypeConversionException("'" + value + "' is no duration: write for example 30m, 2h or 1h30m");
        }
    }

    private static String iso(String text) {
        int days = text.indexOf('D');
        return days < 0 ? "PT" + text : days == text.length() - 1 ? "P" + text : "P" + text.replace("D", "DT");
    }
}
