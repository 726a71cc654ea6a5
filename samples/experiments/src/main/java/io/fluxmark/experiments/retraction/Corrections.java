package io.fluxmark.experiments.retraction;

import java.util.SplittableRandom;

/**
 * One setting of the experiment.
 *
 * @param events in each minute of each key; the mean of them where {@code poisson}
 * @param poisson whether their number varies
 * @param late the share of them that comes after its minute has been counted
 */
record Corrections(int events, boolean poisson, double late) {

    /**
     * By how much a total without retractions is too high, as a share of the true one: a minute of n events, K of them
     * late, sends n - K, then n - K + 1 and so on up to n, which is K (n - 1) - K (K - 1) / 2 too much.
     */
    double formula() {
        double pairs = poisson ? events : events - 1;
        return pairs * (late - late * late / 2);
    }

    /** How many events the next minute of a key has. */
    int next(SplittableRandom random) {
        if (!poisson) {
            return events;
        }
        double limit = Math.exp(-events);
        int n = 0;
        for (double product = random.nextDouble(); product > limit; product *= random.nextDouble()) {
            n++;
        }
        return n;
    }

    String distribution() {
        return poisson ? "poisson" : "fixed";
    }
}
