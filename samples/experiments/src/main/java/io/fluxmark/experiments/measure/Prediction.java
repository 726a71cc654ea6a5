package io.fluxmark.experiments.measure;

/**
 * A range, written down before anything was measured.
 *
 * @param low the smallest figure that does not refute it
 * @param high the largest
 */
public record Prediction(double low, double high) {

    /** Whether {@code measured} lies in the range. */
    public boolean holds(double measured) {
        return measured >= low && measured <= high;
    }

    /** What the report says of a prediction. */
    public static String verdict(boolean holds) {
        return holds ? "confirmed" : "refuted";
    }

    /** What the report says of this one, and to which side it was wrong. */
    public String verdict(double measured) {
        return holds(measured) ? verdict(true) : verdict(false) + (measured > high ? " upwards" : " downwards");
    }
}
