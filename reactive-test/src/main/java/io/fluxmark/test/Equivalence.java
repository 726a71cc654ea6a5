package io.fluxmark.test;

import io.fluxmark.windows.Counter;

/** What the events of a verified equivalence became. Immutable. */
public final class Equivalence {

    private static final Equivalence NONE = new Equivalence(Tally.NONE, 0);

    private final Tally tally;
    private final int emissions;

    Equivalence(Tally tally, int emissions) {
        this.tally = tally;
        this.emissions = emissions;
    }

    /** Nothing verified yet. */
    public static Equivalence none() {
        return NONE;
    }

    /** The sum of two. */
    public Equivalence plus(Equivalence other) {
        return new Equivalence(tally.plus(other.tally), emissions + other.emissions);
    }

    /** How many there were of what {@code counter} counts, as plain loops count it; see {@link #emissions}. */
    public long count(Counter counter) {
        return tally.get(counter);
    }

    /** All events. */
    public long events() {
        return count(Counter.INGESTED);
    }

    /** Events added while all their windows, of those that took them, were open. */
    public long onTime() {
        return count(Counter.ON_TIME);
    }

    /** Events added to a window that had fired, within the allowed lateness. */
    public long refired() {
        return count(Counter.REFIRED);
    }

    /** Events past the allowed lateness. */
    public long late() {
        return tally.late();
    }

    /** Events without a usable timestamp. */
    public long rejected() {
        return count(Counter.REJECTED);
    }

    /** Results and retractions; where early results follow the clock, of the run with unbounded demand and runs of 1. */
    public int emissions() {
        return emissions;
    }

    @Override
    public String toString() {
        return tally.outcomes() + ", " + emissions + " emissions; " + tally;
    }
}
