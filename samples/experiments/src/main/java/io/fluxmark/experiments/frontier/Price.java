package io.fluxmark.experiments.frontier;

import io.fluxmark.experiments.measure.Figures;
import io.fluxmark.experiments.measure.Scale;
import io.fluxmark.experiments.measure.Table;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;

/**
 * What 99 % of the events cost under an exponential law: the smallest delay, in whole seconds, at which so many are counted
 * in time, found by trying, and the latency of the results there.
 */
final class Price {

    static final String DEVIATION = "deviation_percent";

    private static final double WANTED = 0.99;

    /** Mean delay and size of the windows, s; the prediction is about the first pair. */
    private static final List<long[]> PARAMETERS = List.of(
            new long[] {60, 60}, new long[] {60, 10}, new long[] {60, 600}, new long[] {10, 60}, new long[] {300, 60});

    private Price() {}

    static Table measure(Scale scale, PrintStream out) {
        Table table = new Table(
                "mean_s",
                "window_s",
                "events_per_s",
                "delay_s",
                Curves.COMPLETE,
                Curves.P50,
                Curves.P99,
                "formula_latency_s",
                DEVIATION);
        int full = Subjects.RATE;
        for (long[] pair : PARAMETERS.subList(0, scale.of(PARAMETERS.size(), 2))) {
            out.println(Figures.text("E3: price of 99 %%, mean %d s, windows of %d s", pair[0], pair[1]));
            row(table, pair[0], Duration.ofSeconds(pair[1]), scale.of(full, Subjects.QUICK_RATE));
            full = Subjects.THIN_RATE;
        }
        return table;
    }

    private static void row(Table table, long meanSeconds, Duration size, int perSecond) {
        double mean = 1_000.0 * meanSeconds;
        double bound = formula(mean, size);
        double formula = (bound + lag(mean, perSecond)) / 1_000;
        // The delay is looked for between 0 and twice what the formula says.
        Input input = Subjects.synthetic(
                "price",
                new LatenessLaw.Exponential(mean),
                Duration.ofHours(1),
                Duration.ofMillis((long) (2 * bound)),
                perSecond);
        long enough = (long) Math.ceil(2 * bound / 1_000);
        long tooShort = -1;
        long events = input.judgedEvents();
        while (enough - tooShort > 1) {
            long middle = (enough + tooShort) / 2;
            Outcome outcome = outcome(input, size, middle);
            if (outcome.onTime() >= WANTED * events) {
                enough = middle;
            } else {
                tooShort = middle;
            }
        }
        Outcome outcome = outcome(input, size, enough);
        double latency = outcome.latencySeconds(0.5);
        table.row(
                meanSeconds,
                size.toSeconds(),
                perSecond,
                enough,
                Figures.percent(outcome.onTime(), events, 3),
                Figures.decimal(latency, 1),
                Figures.decimal(outcome.latencySeconds(0.99), 1),
                Figures.decimal(formula, 1),
                Figures.percent(latency - formula, formula, 2));
    }

    private static Outcome outcome(Input input, Duration size, long delaySeconds) {
        return FrontierRun.of(input, size, Duration.ofSeconds(delaySeconds), LatePolicy.DROP);
    }

    /** The bound at which a share of 0.01 is lost: (m/S) (1 - e^(-S/m)) e^(-B/m) = 0.01. */
    private static double formula(double mean, Duration size) {
        double atZero = mean / size.toMillis() * (1 - Math.exp(-size.toMillis() / mean));
        return mean * Math.log(atZero / (1 - WANTED));
    }

    /** How far the largest timestamp that has come in lags behind the clock, on the average. */
    private static double lag(double mean, int perSecond) {
        return Math.sqrt(Math.PI * mean * 1_000 / (2.0 * perSecond));
    }
}
