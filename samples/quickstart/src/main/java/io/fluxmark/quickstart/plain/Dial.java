package io.fluxmark.quickstart.plain;

import java.util.List;

/**
 * What a delay buys and costs: completeness against waiting.
 *
 * <p>A result's wait is the time on the arrival clock from the end of its window to the arrival of the flight whose
 * event time moves the watermark to that end (or, for a window that gets its first flight after that, of this flight).
 * Windows that only the end of the file closes have no wait.
 */
public final class Dial {

    /**
     * One position of the dial.
     *
     * @param delayMillis the watermark's bound on disorder
     * @param complete share of all flights that the first result of their window counts, 0 to 1
     * @param waitMedianMillis half of the results come no later than this after their window's end
     * @param waitP99Millis 99 of 100 results come no later than this
     * @param refired flights that corrected a result
     * @param dropped flights that no result counts
     */
    public record Position(
            long delayMillis, double complete, long waitMedianMillis, long waitP99Millis, long refired, long dropped) {}

    private Dial() {}

    /** The position at {@code delayMillis}; flights are in file order, rows from 1 without gaps. */
    public static Position at(
            List<Flight> flights, PlainPartitions partitions, long delayMillis, long latenessMillis, long sizeMillis) {
        Judgement judgement = Judgement.of(flights, partitions, delayMillis, latenessMillis, sizeMillis);
        Waits waits = new Waits(partitions, delayMillis, sizeMillis);
        flights.forEach(flight -> waits.add(flight, judgement.on(flight)));
        long[] sorted = waits.sorted();
        return new Position(
                delayMillis,
                (double) judgement.count(Verdict.ON_TIME) / flights.size(),
                percentile(sorted, 0.50),
                percentile(sorted, 0.99),
                judgement.count(Verdict.REFIRED),
                judgement.count(Verdict.DROPPED));
    }

    /** Nearest rank; 0 for no values. */
    private static long percentile(long[] sorted, double share) {
        return sorted.length == 0 ? 0 : sorted[Math.max(0, (int) Math.ceil(share * sorted.length) - 1)];
    }
}
