package io.fluxmark.experiments.interval;

import io.fluxmark.experiments.measure.LinearFit;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The share of time that is lost to checkpoints, by how many there are in a second: a + c f^p. With p = 1 a checkpoint costs the same
 * however many there are, which is what the square-root rule takes for granted; with p below 1 it costs more the longer the interval.
 *
 * @param constant a
 * @param factor c, seconds where p is 1; not negative
 * @param power p
 */
record LossLaw(double constant, double factor, double power) {

    private static final double LEAST_POWER = 0.3;
    private static final double MOST_POWER = 1.5;
    private static final double STEP = 0.01;

    /** By least squares; the line where nothing rises. */
    static LossLaw of(List<Double> perSecond, List<Double> lost) {
        @Nullable LossLaw best = null;
        double least = Double.MAX_VALUE;
        for (double power = LEAST_POWER; power <= MOST_POWER; power += STEP) {
            double exponent = power;
            List<Double> x = perSecond.stream().map(f -> Math.pow(f, exponent)).toList();
            LinearFit line = LinearFit.of(x, lost);
            LossLaw law = new LossLaw(line.intercept(), Math.max(0, line.slope()), power);
            double error = law.error(perSecond, lost);
            if (best == null || error < least) {
                best = law;
                least = error;
            }
        }
        return Objects.requireNonNull(best);
    }

    private double error(List<Double> perSecond, List<Double> lost) {
        double sum = 0;
        for (int i = 0; i < perSecond.size(); i++) {
            double difference = lost.get(i) - at(perSecond.get(i));
            sum += difference * difference;
        }
        return sum;
    }

    /** The share of time lost at so many checkpoints a second. */
    double at(double perSecond) {
        return constant + rising(perSecond);
    }

    /** The part of it that grows with the number of checkpoints. */
    double rising(double perSecond) {
        return factor * Math.pow(perSecond, power);
    }

    /**
     * The interval in seconds at which this and the loss to failures are least together.
     *
     * @param replay seconds that a failure costs for each second of work not committed
     * @param betweenFailures seconds
     */
    double optimum(double replay, double betweenFailures) {
        return Math.pow(2 * betweenFailures * power * factor / replay, 1 / (power + 1));
    }
}
