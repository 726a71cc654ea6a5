package io.fluxmark.quickstart.plain;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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
        long[] waits = waits(flights, partitions, delayMillis, sizeMillis, judgement);
        Arrays.sort(waits);
        return new Position(
                delayMillis,
                (double) judgement.count(Verdict.ON_TIME) / flights.size(),
                percentile(waits, 0.50),
                percentile(waits, 0.99),
                judgement.count(Verdict.REFIRED),
                judgement.count(Verdict.DROPPED));
    }

    private static long[] waits(
            List<Flight> flights, PlainPartitions partitions, long delayMillis, long sizeMillis, Judgement judgement) {
        List<Map<Cell, Long>> open = new ArrayList<>();
        for (int p = 0; p < partitions.count(); p++) {
            open.add(new HashMap<>());
        }
        Map<Cell, Boolean> emitted = new HashMap<>();
        long[] highest = new long[partitions.count()];
        Arrays.fill(highest, Long.MIN_VALUE);
        List<Long> waits = new ArrayList<>();
        for (Flight flight : flights) {
            int partition = partitions.of(flight.origin());
            long start = flight.eventMillis() - Math.floorMod(flight.eventMillis(), sizeMillis);
            Cell cell = new Cell(flight.origin(), start);
            if (judgement.on(flight) == Verdict.ON_TIME) {
                open.get(partition).put(cell, start + sizeMillis);
            } else if (judgement.on(flight) == Verdict.REFIRED && emitted.putIfAbsent(cell, true) == null) {
                waits.add(flight.arrivalMillis() - start - sizeMillis);
            }
            if (flight.eventMillis() > highest[partition]) {
                long before = highest[partition];
                highest[partition] = flight.eventMillis();
                long watermark = highest[partition] - delayMillis - 1;
                boolean reachesAnEnd = before == Long.MIN_VALUE
                        || Math.floorDiv(watermark + 1, sizeMillis) > Math.floorDiv(before - delayMillis, sizeMillis);
                if (reachesAnEnd) {
                    fire(open.get(partition), watermark, flight.arrivalMillis(), emitted, waits);
                }
            }
        }
        return waits.stream().mapToLong(Long::longValue).toArray();
    }

    private static void fire(
            Map<Cell, Long> open, long watermark, long now, Map<Cell, Boolean> emitted, List<Long> waits) {
        open.entrySet().removeIf(window -> {
            if (watermark < window.getValue() - 1) {
                return false;
            }
            emitted.put(window.getKey(), true);
            waits.add(now - window.getValue());
            return true;
        });
    }

    /** Nearest rank; 0 for no values. */
    private static long percentile(long[] sorted, double share) {
        return sorted.length == 0 ? 0 : sorted[Math.max(0, (int) Math.ceil(share * sorted.length) - 1)];
    }
}
