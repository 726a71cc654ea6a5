package io.fluxmark.experiments.measure;

import java.util.List;

/**
 * The straight line through points by least squares.
 *
 * @param intercept its value at 0
 * @param slope how much it rises by 1
 * @param correlation of the two, -1 to 1; 0 where all values are equal
 */
public record LinearFit(double intercept, double slope, double correlation) {

    /** Through at least two points with different {@code x}. */
    public static LinearFit of(List<Double> x, List<Double> y) {
        if (x.size() != y.size()) {
            throw new IllegalArgumentException(x.size() + " points on one axis but " + y.size() + " on the other");
        }
        double meanX = mean(x);
        double meanY = mean(y);
        double xx = 0;
        double xy = 0;
        double yy = 0;
        for (int i = 0; i < x.size(); i++) {
            double dx = x.get(i) - meanX;
            double dy = y.get(i) - meanY;
            xx += dx * dx;
            xy += dx * dy;
            yy += dy * dy;
        }
        if (xx == 0) {
            throw new IllegalArgumentException("a line needs two points with different x");
        }
        double slope = xy / xx;
        return new LinearFit(meanY - slope * meanX, slope, yy == 0 ? 0 : xy / Math.sqrt(xx * yy));
    }

    /** What the line says there. */
    public double at(double x) {
        return intercept + slope * x;
    }

    private static double mean(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).average().orElse(0);
    }
}
