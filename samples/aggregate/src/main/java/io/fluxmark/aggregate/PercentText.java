package io.fluxmark.aggregate;

import java.math.BigDecimal;
import java.math.MathContext;

/** Shares of events as they are written on the command line: {@code 99.9%}. */
public final class PercentText {

    private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);
    private static final BigDecimal LEAST = BigDecimal.valueOf(50);
    private static final BigDecimal MOST = new BigDecimal("99.9999");
    private static final MathContext DIGITS = new MathContext(7);

    private PercentText() {}

    /** The share, 0.5 to 0.999999; the percent sign may be missing. */
    public static double parse(String text) {
        String number = text.strip();
        number = number.endsWith("%") ? number.substring(0, number.length() - 1).strip() : number;
        BigDecimal percent;
        try {
            percent = new BigDecimal(number);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + text + "' is no percentage: use one as 99.9%", e);
        }
        if (percent.compareTo(LEAST) < 0 || percent.compareTo(MOST) > 0) {
            throw new IllegalArgumentException("'" + text + "' is not between 50% and 99.9999%");
        }
        return percent.divide(HUNDRED).doubleValue();
    }

    /** A share as a percentage. */
    public static String text(double share) {
        return new BigDecimal(share)
                        .multiply(HUNDRED)
                        .round(DIGITS)
                        .stripTrailingZeros()
                        .toPlainString() + "%";
    }
}
