package io.fluxmark.aggregate;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them: {@code 500ms}, {@code 30s}, {@code 1h30m}, {@code 1d}, {@code 0}, {@code PT2H}. */
public final class DurationText {

    private static final Pattern PART = Pattern.compile("\\G(\\d+)(ms|s|m|h|d)", Pattern.CASE_INSENSITIVE);

    private DurationText() {}

    /**
     * The duration that {@code value} names, 0 or more.
     *
     * @throws IllegalArgumentException that says what to write
     */
    public static Duration parse(String value) {
        String text = value.trim().toLowerCase(Locale.ROOT);
        if (text.matches("0+")) {
            return Duration.ZERO;
        }
        if (text.startsWith("-")) {
            throw new IllegalArgumentException("'" + value + "' is negative: use 0 or more, for example 2h");
        }
        try {
            return text.startsWith("p") ? Duration.parse(text) : sum(value, text);
        } catch (DateTimeParseException | ArithmeticException e) {
            throw none(value);
        }
    }

    private static Duration sum(String value, String text) {
        Matcher part = PART.matcher(text);
        Duration sum = Duration.ZERO;
        int end = 0;
        while (part.find()) {
            long amount = parseAmount(value, part.group(1));
            sum = sum.plus(
                    switch (part.group(2)) {
                        case "ms" -> Duration.ofMillis(amount);
                        case "s" -> Duration.ofSeconds(amount);
                        case "m" -> Duration.ofMinutes(amount);
                        case "h" -> Duration.ofHours(amount);
                        default -> Duration.ofDays(amount);
                    });
            end = part.end();
        }
        if (end == 0 || end != text.length()) {
            throw none(value);
        }
        return sum;
    }

    private static long parseAmount(String value, String digits) {
        try {
            return Long.parseLong(digits);
        } catch (NumberFormatException e) {
            throw none(value);
        }
    }

    private static IllegalArgumentException none(String value) {
        return new IllegalArgumentException(
                "'" + value + "' is no duration: write for example 500ms, 30s, 30m, 2h, 1d or 1h30m");
    }

    /** The shortest text of {@code millis}, 0 or more: {@code 1h30m}. */
    public static String text(long millis) {
        if (millis == 0) {
            return "0";
        }
        StringBuilder text = new StringBuilder();
        long rest = millis;
        long[] sizes = {86_400_000, 3_600_000, 60_000, 1_000, 1};
        String[] units = {"d", "h", "m", "s", "ms"};
        for (int i = 0; i < sizes.length; i++) {
            if (rest >= sizes[i]) {
                text.append(rest / sizes[i]).append(units[i]);
                rest %= sizes[i];
            }
        }
        return text.toString();
    }
}
