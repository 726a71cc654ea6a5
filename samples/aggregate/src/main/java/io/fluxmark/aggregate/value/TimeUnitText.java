package io.fluxmark.aggregate.value;

import io.fluxmark.aggregate.UsageException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Locale;

/** How times are written; all are read as milliseconds since the epoch, what is finer is cut off (floor). */
public enum TimeUnitText {
    /** Numbers of milliseconds. */
    MS("ms", 0),
    /** Numbers of seconds. */
    S("s", 3),
    /** Numbers of microseconds. */
    US("us", -3),
    /** ISO 8601 with a zone offset or Z. */
    ISO("iso", 0);

    private static final long MAX_MILLIS = 1L << 60;

    private static final DateTimeFormatter ISO_TIME = new DateTimeFormatterBuilder()
            .parseCaseInsensitive()
            .append(DateTimeFormatter.ISO_LOCAL_DATE_TIME)
            .appendPattern("[XXXXX][XXXX][X]")
            .toFormatter(Locale.ROOT);

    private static final DateTimeFormatter CLF_TIME =
            DateTimeFormatter.ofPattern("dd/MMM/uuuu:HH:mm:ss xx", Locale.ENGLISH);

    private final String text;
    private final int decimals;

    TimeUnitText(String text, int decimals) {
        this.text = text;
        this.decimals = decimals;
    }

    /** The unit that {@code text} names. */
    public static TimeUnitText parse(String text) {
        for (TimeUnitText unit : values()) {
            if (unit.text.equals(text)) {
                return unit;
            }
        }
        throw new UsageException("'" + text + "' is no time unit: use ms, s, us or iso");
    }

    /**
     * The time that {@code value} names, in ms since the epoch.
     *
     * @throws IllegalArgumentException that says what was expected
     */
    public long millis(String value) {
        String time = value.strip();
        if (isAccessLogTime(time)) {
            return parse(time, CLF_TIME);
        }
        if (this == ISO) {
            return parse(time.indexOf(' ') == 10 ? time.replace(' ', 'T') : time, ISO_TIME);
        }
        Number number = Numbers.parse(time);
        if (number == null) {
            throw new IllegalArgumentException("'" + value + "' is no number of " + text
                    + (time.length() > 10 && time.charAt(4) == '-' ? ": use --time-unit iso" : ""));
        }
        if (number instanceof Long whole && Math.abs(whole) < Long.MAX_VALUE / 1_000) {
            return decimals >= 0 ? whole * (decimals == 0 ? 1 : 1_000) : Math.floorDiv(whole, 1_000);
        }
        return inRange(value, Numbers.decimal(number).movePointRight(decimals).setScale(0, RoundingMode.FLOOR));
    }

    private static long inRange(String value, BigDecimal millis) {
        if (millis.abs().compareTo(BigDecimal.valueOf(MAX_MILLIS)) > 0) {
            throw new IllegalArgumentException("'" + value + "' is no time: it is beyond " + MAX_MILLIS + " ms");
        }
        return millis.longValueExact();
    }

    /** As in {@code 17/May/2015:10:05:03 +0000}. */
    private static boolean isAccessLogTime(String time) {
        return time.length() == 26 && time.charAt(2) == '/' && time.charAt(6) == '/';
    }

    private static long parse(String time, DateTimeFormatter format) {
        try {
            return OffsetDateTime.parse(time, format).toInstant().toEpochMilli();
        } catch (DateTimeException | ArithmeticException e) {
            throw new IllegalArgumentException("'" + time
                    + "' is no time with a zone, as in 2015-09-12T00:46:58.771Z or 2015-09-12T02:46:58+02:00");
        }
    }

    /** The place of {@code value}, a number or an ISO time, on one line, for sorting. */
    public static BigDecimal sortKey(String value) {
        Number number = Numbers.parse(value);
        if (number != null) {
            return Numbers.decimal(number);
        }
        String time = value.strip();
        try {
            Instant instant = OffsetDateTime.parse(time, isAccessLogTime(time) ? CLF_TIME : ISO_TIME)
                    .toInstant();
            return BigDecimal.valueOf(instant.getEpochSecond(), -3).add(BigDecimal.valueOf(instant.getNano(), 6));
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("'" + value + "' is neither a number nor an ISO time");
        }
    }

    @Override
    public String toString() {
        return text;
    }
}
