package io.fluxmark.experiments.interval;

import java.util.List;
import java.util.stream.Stream;

/**
 * The share of time that is lost to checkpoints, by how many there are in a second: a + C f + D / f. What is done at each checkpoint is lost
 * more often the more there are. What is held on the heap until its commit is dearer the longer it waits there, and that is what a
 * long interval costs a job that never fails.
 *
 * @param constant a
 * @param each C, seconds; not negative
 * @param held D, the share lost for each second between two checkpoints; not negative
 */
record LossLaw(double constant, double each, double held) {

    private static final double LEAST = 1e-12;

    /** By least squares, with no part below zero. */
    static LossLaw of(List<Double> perSecond, List<Double> lost) {
        List<Double> between = perSecond.stream().map(f -> 1 / f).toList();
        return Stream.of(
                        both(perSecond, between, lost),
                        fitted(perSecond, between, lost, slope(perSecond, lost), 0),
                        fitted(perSecond, between, lost, 0, slope(between, lost)),
                        fitted(perSecond, between, lost, 0, 0))
                .filter(law -> law.each >= 0 && law.held >= 0)
                .min((a, b) -> Double.compare(a.error(perSecond, lost), b.error(perSecond, lost)))
                .orElseThrow();
    }

    private static LossLaw both(List<Double> x, List<Double> z, List<Double> y) {
        double xx = product(x, x);
        double zz = product(z, z);
        double xz = product(x, z);
        double determinant = xx * zz - xz * xz;
        if (Math.abs(determinant) < LEAST) {
            return fitted(x, z, y, 0, 0);
        }
        double xy = product(x, y);
        double zy = product(z, y);
        return fitted(x, z, y, (xy * zz - zy * xz) / determinant, (zy * xx - xy * xz) / determinant);
    }

    private static LossLaw fitted(List<Double> x, List<Double> z, List<Double> y, double each, double held) {
        return new LossLaw(mean(y) - each * mean(x) - held * mean(z), each, held);
    }

    private static double slope(List<Double> x, List<Double> y) {
        double xx = product(x, x);
        return xx < LEAST ? 0 : product(x, y) / xx;
    }

    /** Of the distances from their means. */
    private static double product(List<Double> a, List<Double> b) {
        double meanA = mean(a);
        double meanB = mean(b);
        double sum = 0;
        for (int i = 0; i < a.size(); i++) {
            sum += (a.get(i) - meanA) * (b.get(i) - meanB);
        }
        return sum;
    }

    private static double mean(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    }

    private double error(List<Double> perSecond, List<Double> lost) {
        double sum = 0;
        for (int i = 0; i < perSecond.size(); i++) {
            double difference = lost.get(i) - constant - depending(perSecond.get(i));
            sum += difference * difference;
        }
        return sum;
    }

    /** The part of what is lost that depends on the number of checkpoints. */
    double depending(double perSecond) {
        return each * perSecond + held / perSecond;
    }

    /**
     * The interval in seconds at which this and the loss to failures are least together.
     *
     * @param replay seconds that a failure costs for each second of work not committed
     * @param betweenFailures seconds
     */
    double optimum(double replay, double betweenFailures) {
        return Math.sqrt(each / (held + replay / (2 * betweenFailures)));
    }
}
