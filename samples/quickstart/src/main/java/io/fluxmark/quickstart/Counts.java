package io.fluxmark.quickstart;

/**
 * What became of a job's events; their sum is the number of events (S12).
 *
 * @param onTime in their window before it fired
 * @param refired after it fired, within the lateness: corrected a result
 * @param dropped after the lateness, in no result
 * @param side after the lateness, kept as rows beside the results
 */
record Counts(long onTime, long refired, long dropped, long side) {

    long sum() {
        return onTime + refired + dropped + side;
    }

    long accepted() {
        return onTime + refired;
    }
}
