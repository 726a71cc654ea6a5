package io.fluxmark.quickstart.plain;

/** A count and a sum of delays that grow; not thread-safe. */
public final class Tally {

    private long count;
    private long delaySum;

    void add(int delayMinutes) {
        count++;
        delaySum += delayMinutes;
    }

    /** How many departures. */
    public long count() {
        return count;
    }

    /** Mean delay in minutes; 0 if nothing was counted. */
    public double averageDelay() {
        return count == 0 ? 0 : (double) delaySum / count;
    }
}
