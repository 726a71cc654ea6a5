package io.fluxmark.experiments.frontier;

import java.util.Arrays;

/** How many events the results in force count, by the time since their windows ended. */
final class CompletenessByAge {

    private static final int INITIAL_SECONDS = 4_096;
    private static final long SECOND = 1_000;

    /** What was added, and taken back, until so many seconds after the end, but not a second before. */
    private long[] change = new long[INITIAL_SECONDS];

    void add(long ageMillis, long events) {
        int second = secondOf(ageMillis);
        if (second >= change.length) {
            change = Arrays.copyOf(change, Math.max(second + 1, 2 * change.length));
        }
        change[second] += events;
    }

    private static int secondOf(long ageMillis) {
        return Math.toIntExact(Math.max(0, -Math.floorDiv(-ageMillis, SECOND)));
    }

    /** How many are counted so long after the end of their window. */
    long counted(long ageSeconds) {
        long counted = 0;
        for (int second = 0; second < change.length && second <= ageSeconds; second++) {
            counted += change[second];
        }
        return counted;
    }

    /** How many are counted in the end. */
    long counted() {
        return counted(change.length);
    }

    /** How many seconds after the end of their windows the last result changed. */
    int lastChangeSeconds() {
        int second = change.length - 1;
        while (second > 0 && change[second] == 0) {
            second--;
        }
        return second;
    }
}
