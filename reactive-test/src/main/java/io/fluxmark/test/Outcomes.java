package io.fluxmark.test;

/**
 * How many events had which outcome.
 *
 * @param onTime added while their window was open
 * @param refired added after it had fired, within the allowed lateness
 * @param late past the allowed lateness: dropped, or handed to the late output
 * @param rejected without a usable timestamp
 */
record Outcomes(int onTime, int refired, int late, int rejected) {

    static final Outcomes NONE = new Outcomes(0, 0, 0, 0);

    Outcomes plus(Outcome outcome) {
        return new Outcomes(
                onTime + (outcome == Outcome.ON_TIME ? 1 : 0),
                refired + (outcome == Outcome.REFIRED ? 1 : 0),
                late + (outcome == Outcome.LATE ? 1 : 0),
                rejected + (outcome == Outcome.REJECTED ? 1 : 0));
    }

    int accepted() {
        return onTime + refired;
    }

    int total() {
        return onTime + refired + late + rejected;
    }

    @Override
    public String toString() {
        return total() + " events = " + onTime + " on time + " + refired + " re-fired + " + late + " late + " + rejected
                + " rejected";
    }

    /** What becomes of one event. */
    enum Outcome {
        ON_TIME,
        REFIRED,
        LATE,
        REJECTED
    }
}
