package io.fluxmark.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/** The measurements of one contender, one per round. */
public final class Series {

    final Contender contender;
    private final List<Measurement> measurements = new ArrayList<>();

    /** Of what; nothing is measured yet. */
    public Series(Contender contender) {
        this.contender = contender;
    }

    /** What is measured. */
    public String name() {
        return contender.name();
    }

    /** Adds one of the next round. */
    public void add(Measurement measurement) {
        measurements.add(measurement);
    }

    /** All, in the order of the rounds. */
    public List<Measurement> measurements() {
        return measurements;
    }

    /** What came out in the first round. */
    public Object outcome() {
        return measurements.get(0).outcome();
    }

    /** The time of the fastest round, in ns. */
    public long bestNanos() {
        return measurements.stream().mapToLong(Measurement::nanos).min().orElseThrow();
    }

    /** The median of a figure over the rounds. */
    public long median(ToLongFunction<Measurement> figure) {
        long[] sorted = measurements.stream().mapToLong(figure).sorted().toArray();
        return sorted[sorted.length / 2];
    }

    /**
     * The median, over the rounds, of how many times as fast this was as {@code other} in the same round: noise of the
     * machine that lasts longer than a round hits both.
     */
    public double medianRatioTo(Series other, ToLongFunction<Measurement> figure) {
        double[] ratios = new double[measurements.size()];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] =
                    (double) figure.applyAsLong(other.measurements.get(i)) / figure.applyAsLong(measurements.get(i));
        }
        java.util.Arrays.sort(ratios);
        return ratios[ratios.length / 2];
    }
}
