package io.fluxmark.experiments.measure;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** Numbers as they stand in files and in the report. */
public final class Figures {

    private Figures() {}

    /** {@code value} with so many decimals. */
    public static String decimal(double value, int decimals) {
        return String.format(Locale.ROOT, "%." + decimals + "f", value);
    }

    /** The middle one of some values, of an even number the higher of the two; there is at least one. */
    public static <T extends Comparable<T>> T median(List<T> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }

    /** A part of a whole, in percent. */
    public static String percent(double part, double whole, int decimals) {
        return decimal(whole == 0 ? 0 : 100 * part / whole, decimals);
    }

    /** A part of a whole, both counted, in percent. */
    public static String percent(long part, long whole, int decimals) {
        return percent((double) part, (double) whole, decimals);
    }

    /** A text with figures in it, where {@code %,d} gives thousands. */
    public static String text(String format, Object... figures) {
        return String.format(Locale.ROOT, format, figures);
    }

    /** A duration as people write it: {@code 90s}, {@code 1h}. */
    public static String duration(Duration duration) {
        return duration.toString().substring(2).toLowerCase(Locale.ROOT);
    }

    /** A whole number with its thousands apart; anything else as it is. */
    public static String readable(String cell) {
        return cell.matches("-?[0-9]{4,}") ? text("%,d", Long.parseLong(cell)) : cell;
    }
}
