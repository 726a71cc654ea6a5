package io.fluxmark.test;

/**
 * What the events of a verified equivalence became.
 *
 * @param onTime events added while their window was open
 * @param refired events added after it had fired, within the allowed lateness
 * @param late events past the allowed lateness
 * @param rejected events without a usable timestamp
 * @param emissions results and retractions
 */
public record Equivalence(int onTime, int refired, int late, int rejected, int emissions) {

    /** All events. */
    public int events() {
        return onTime + refired + late + rejected;
    }

    /** The sum of two. */
    public Equivalence plus(Equivalence other) {
        return new Equivalence(
                onTime + other.onTime,
                refired + other.refired,
                late + other.late,
                rejected + other.rejected,
                emissions + other.emissions);
    }

    /** Nothing verified yet. */
    public static Equivalence none() {
        return new Equivalence(0, 0, 0, 0, 0);
    }
}
