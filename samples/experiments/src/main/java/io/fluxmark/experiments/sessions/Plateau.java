package io.fluxmark.experiments.sessions;

import java.util.List;

/**
 * Where a number of entries stands once it does not grow any more.
 *
 * @param low the smallest
 * @param high the largest
 * @param percentPerMinute by how much it still rises, by the straight line of least squares
 */
record Plateau(long low, long high, double percentPerMinute) {

    private static final double MINUTE = 60;

    /** Of the samples from a moment on. */
    static Plateau from(double second, List<Double> seconds, List<Double> entries) {
        long low = Long.MAX_VALUE;
        long high = 0;
        double n = 0;
        double sumX = 0;
        double sumY = 0;
        double sumXx = 0;
        double sumXy = 0;
        for (int i = 0; i < seconds.size(); i++) {
            double x = seconds.get(i);
            double y = entries.get(i);
            if (x >= second) {
                low = Math.min(low, (long) y);
                high = Math.max(high, (long) y);
                n++;
                sumX += x;
                sumY += y;
                sumXx += x * x;
                sumXy += x * y;
            }
        }
        if (n < 2) {
            throw new IllegalArgumentException("no two samples from second " + second + " on");
        }
        double slope = (n * sumXy - sumX * sumY) / (n * sumXx - sumX * sumX);
        return new Plateau(low, high, 100 * slope * MINUTE / (sumY / n));
    }
}
