package io.fluxmark.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/** The measurements of one contender, one per round. */
final class Series {

    final Contender contender;
    private final List<Measurement> measurements = new ArrayList<>();

    Series(Contender contender) {
        this.contender = contender;
    }

    void add(Measurement measurement) {
        measurements.add(measurement);
    }

    List<Measurement> measurements() {
        return measurements;
    }

    Object outcome() {
        return measurements.get(0).outcome();
    }

    long bestNanos() {
        return measurements.stream().mapToLong(Measurement::nanos).min().orElseThrow();
    }

    long median(ToLongFunction<Measurement> figure) {
        long[] sorted = measurements.stream().mapToLong(figure).sorted().toArray();
        return sorted[sorted.length / 2];
    }

    /**
     * The median, over the rounds, of how many times as fast this was as {@code other} in the same round: noise of the
     * machine that lasts longer than a round hits both.
     */
    double medianRatioTo(Series other, ToLongFunction<Measurement> figure) {
        double[] ratios = new double[measurements.size()];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] =
                    (double) figure.applyAsLong(other.measurements.get(i)) / figure.applyAsLong(measurements.get(i));
        }
        java.util.Arrays.sort(ratios);
        return ratios[ratios.length / 2];
    }
}
