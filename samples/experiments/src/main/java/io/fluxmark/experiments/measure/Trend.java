package io.fluxmark.experiments.measure;

import java.util.List;

/**
 * A straight line through points, by least squares.
 *
 * @param slope of y for each unit of x
 * @param scatter of the points about the line: the standard deviation of what is left
 */
public record Trend(double slope, double scatter) {

    /** Through points of which there are at least two, not all at one x. */
    public static Trend of(List<Double> x, List<Double> y) {
        if (x.size() != y.size() || x.size() < 2) {
            throw new IllegalArgumentException("a line needs two points or more but was given " + x + " and " + y);
        }
        double meanX = mean(x);
        double meanY = mean(y);
        double product = 0;
        double square = 0;
        for (int i = 0; i < x.size(); i++) {
            product += (x.get(i) - meanX) * (y.get(i) - meanY);
            square += (x.get(i) - meanX) * (x.get(i) - meanX);
        }
        if (square == 0) {
            throw new IllegalArgumentException("a line needs points at different places but all are at " + meanX);
        }
        double slope = product / square;
        double left = 0;
        for (int i = 0; i < x.size(); i++) {
            double distance = y.get(i) - meanY - slope * (x.get(i) - meanX);
            left += distance * distance;
        }
        return new Trend(slope, Math.sqrt(left / x.size()));
    }

    private static double mean(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    }
}
