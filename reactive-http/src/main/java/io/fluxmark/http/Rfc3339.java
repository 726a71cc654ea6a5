package io.fluxmark.http;

import java.time.YearMonth;

/**
 * Checks the form of RFC 3339 timestamps without building one, so that the sender's text is kept as it is. Accepts the leap second
 * (60), any number of fraction digits, {@code t} and {@code z} in lower case, and a space between date and time (section 5.6).
 */
final class Rfc3339 {

    private static final int DATE_TIME = "2026-01-01T00:00:00".length();

    private Rfc3339() {}

    static boolean isValid(String text) {
        int length = text.length();
        if (length <= DATE_TIME || !isDateTime(text)) {
            return false;
        }
        int i = DATE_TIME;
        if (text.charAt(i) == '.') {
            int digits = ++i;
            while (i < length && isDigit(text.charAt(i))) {
                i++;
            }
            if (i == digits || i == length) {
                return false;
            }
        }
        return isOffset(text, i);
    }

    private static boolean isDateTime(String text) {
        int year = number(text, 0, 4);
        int month = number(text, 5, 2);
        int day = number(text, 8, 2);
        char separator = text.charAt(10);
        return year >= 0
                && text.charAt(4) == '-'
                && month >= 1
                && month <= 12
                && text.charAt(7) == '-'
                && day >= 1
                && (day <= 28 || day <= YearMonth.of(year, month).lengthOfMonth())
                && (separator == 'T' || separator == 't' || separator == ' ')
                && isClock(text, 11)
                && text.charAt(16) == ':'
                && within(number(text, 17, 2), 60);
    }

    private static boolean isOffset(String text, int at) {
        char sign = text.charAt(at);
        if (sign == 'Z' || sign == 'z') {
            return text.length() == at + 1;
        }
        return (sign == '+' || sign == '-') && text.length() == at + 6 && isClock(text, at + 1);
    }

    private static boolean isClock(String text, int at) {
        return within(number(text, at, 2), 23) && text.charAt(at + 2) == ':' && within(number(text, at + 3, 2), 59);
    }

    private static boolean within(int value, int max) {
        return value >= 0 && value <= max;
    }

    /** The number of that many digits, or -1. */
    private static int number(String text, int at, int digits) {
        int value = 0;
        for (int i = at; i < at + digits; i++) {
            char c = text.charAt(i);
            if (!isDigit(c)) {
                return -1;
            }
            value = value * 10 + (c - '0');
        }
        return value;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
