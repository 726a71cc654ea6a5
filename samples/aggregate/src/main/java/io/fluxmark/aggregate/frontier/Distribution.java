package io.fluxmark.aggregate.frontier;

import java.util.Map;
import java.util.TreeMap;

/**
 * How often each of many durations was seen, in ms. Exact for up to a million different ones; beyond that neighbours are
 * put together, at the larger of them, so that what is read from it is never too small and the memory stays bounded.
 */
final class Distribution {

    private static final int MAX_DISTINCT = 1 << 20;

    private final int maxDistinct;
    private TreeMap<Long, long[]> counts = new TreeMap<>();
    private long width = 1;
    private long total;
    private long largest = Long.MIN_VALUE;

    Distribution() {
        this(MAX_DISTINCT);
    }

    Distribution(int maxDistinct) {
        this.maxDistinct = maxDistinct;
    }

    void add(long value) {
        total++;
        largest = Math.max(largest, value);
        count(value, 1);
        while (counts.size() > maxDistinct) {
            width *= 2;
            TreeMap<Long, long[]> finer = counts;
            counts = new TreeMap<>();
            finer.forEach((each, n) -> count(each, n[0]));
        }
    }

    private void count(long value, long n) {
        long place = width == 1 ? value : -Math.floorDiv(-value, width) * width;
        counts.computeIfAbsent(place, p -> new long[1])[0] += n;
    }

    /** How many values were added. */
    long total() {
        return total;
    }

    /** How many of them are larger than {@code value}. */
    long above(long value) {
        return counts.tailMap(value, false).values().stream()
                .mapToLong(n -> n[0])
                .sum();
    }

    /** The smallest value that at least {@code perMille} of a thousand do not exceed; 0 without values. */
    long quantile(int perMille) {
        if (total == 0) {
            return 0;
        }
        return ofRank(-Math.floorDiv(-Math.multiplyExact(total, perMille), 1_000L));
    }

    /** The smallest value that at least so large a share of the values do not exceed; 0 without values. */
    long smallestFor(double share) {
        return total == 0 ? 0 : ofRank((long) Math.ceil(total * share));
    }

    private long ofRank(long nearest) {
        long rank = Math.max(1, nearest);
        long seen = 0;
        for (Map.Entry<Long, long[]> entry : counts.entrySet()) {
            seen += entry.getValue()[0];
            if (seen >= rank) {
                return Math.min(entry.getKey(), largest);
            }
        }
        return largest;
    }
}
