package io.fluxmark.aggregate.value;

import java.math.BigDecimal;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** Exact numbers: a {@link Long} where it fits, a {@link BigDecimal} without trailing zeros elsewhere. */
public final class Numbers {

    /** Longest and largest number that is taken, in digits: more is no measurement, and would fill the memory. */
    private static final int MAX_DIGITS = 400;

    /** Texts up to this length fit into a long without a check. */
    private static final int SAFE_DIGITS = 18;

    private static final int LONG_DIGITS = 19;

    private Numbers() {}

    /** The number that {@code text} is, or null where it is none. */
    public static @Nullable Number parse(String text) {
        String trimmed = text.strip();
        int length = trimmed.length();
        int from = length > 0 && (trimmed.charAt(0) == '-' || trimmed.charAt(0) == '+') ? 1 : 0;
        if (length > from && length - from <= SAFE_DIGITS) {
            long value = 0;
            int i = from;
            while (i < length && trimmed.charAt(i) >= '0' && trimmed.charAt(i) <= '9') {
                value = value * 10 + (trimmed.charAt(i++) - '0');
            }
            if (i == length) {
                return trimmed.charAt(0) == '-' ? -value : value;
            }
        }
        return parseDecimal(trimmed);
    }

    private static @Nullable Number parseDecimal(String text) {
        if (text.isEmpty() || text.length() > MAX_DIGITS) {
            return null;
        }
        try {
            BigDecimal decimal = new BigDecimal(text);
            return Math.abs((long) decimal.scale()) > MAX_DIGITS ? null : normal(decimal);
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** The one form of a number, so that equal numbers are equal objects. */
    public static Number normal(BigDecimal decimal) {
        BigDecimal stripped = decimal.stripTrailingZeros();
        if (stripped.scale() <= 0 && stripped.precision() - stripped.scale() <= LONG_DIGITS) {
            BigInteger whole = stripped.toBigInteger();
            if (whole.bitLength() < Long.SIZE) {
                return whole.longValue();
            }
        }
        return stripped;
    }

    /** The number as a decimal. */
    public static BigDecimal decimal(Number number) {
        return number instanceof BigDecimal decimal ? decimal : BigDecimal.valueOf(number.longValue());
    }

    /** The order of numbers. */
    public static int compare(Number a, Number b) {
        return a instanceof Long x && b instanceof Long y
                ? Long.compare(x, y)
                : decimal(a).compareTo(decimal(b));
    }
}
