package io.fluxmark.experiments.interval;

import io.fluxmark.experiments.measure.Figures;
import io.fluxmark.experiments.measure.LinearFit;
import io.fluxmark.experiments.measure.Prediction;
import io.fluxmark.experiments.measure.Section;
import io.fluxmark.experiments.measure.Table;
import java.util.List;
import java.util.stream.Stream;

/** What the report says about intervals, around the measured tables. */
final class IntervalText {

    /** The measured optimum by that of the rule; and the advised interval by the measured optimum. */
    private static final Prediction RATIO = new Prediction(0.5, 2.0);

    /** A minimum that is known worse refutes nothing. */
    private static final double LOCATED_WITHIN = 1.5;

    private static final double MILLIS = 1_000;

    private IntervalText() {}

    /** Medians over the rounds, by interval. */
    static Table measured(Table runs, Table kills) {
        Table table = new Table(
                "interval_ms",
                "checkpoints_per_s",
                "events_per_s",
                "lost_pct",
                "cost_ms",
                "advised_ms",
                "kills",
                "lost_s");
        for (String interval : allIntervals(runs, kills)) {
            Table of = runs.where("interval_ms", interval);
            Table killed = kills.where("interval_ms", interval);
            boolean ran = !of.rows().isEmpty();
            table.row(
                    interval,
                    ran ? median(of, "checkpoints_per_s", 2) : "",
                    ran ? median(of, "events_per_s", 0) : "",
                    ran ? median(of, "lost_pct", 2) : "",
                    ran ? median(of, "cost_ms", 2) : "",
                    ran ? median(of, "advised_ms", 0) : "",
                    killed.rows().size(),
                    killed.rows().isEmpty()
                            ? ""
                            : Figures.decimal(
                                    killed.numbers("lost_s").stream()
                                            .mapToDouble(Double::doubleValue)
                                            .average()
                                            .orElseThrow(),
                                    2));
        }
        return table;
    }

    private static List<String> allIntervals(Table runs, Table kills) {
        return Stream.concat(runs.texts("interval_ms").stream(), kills.texts("interval_ms").stream())
                .distinct()
                .sorted((a, b) -> Long.compare(Long.parseLong(a), Long.parseLong(b)))
                .toList();
    }

    private static String median(Table table, String column, int decimals) {
        return Figures.decimal(Figures.median(table.numbers(column)), decimals);
    }

    static List<String> of(Table measured, Table sweep, Located located, Located.Range range) {
        LinearFit failure = located.failure();
        Table nearest = nearest(measured, located.optimum());
        double advised = nearest.number("advised_ms") / MILLIS / located.optimum();
        return new Section("E5")
                .paragraph(
                        "Measured: **least time is lost at %.2f s, which is %.2f times sqrt(2 C M) = %.2f s (predicted 1.0, range"
                                + " 0.5 to 2.0: %s)**, with C = %.1f ms as the slope of lost time and M = 60 s. The optimum is"
                                + " located within a factor %.2f (%.2f to %.2f s; at most 1.5 for a verdict). The advised interval,"
                                + " at %s ms, the interval next to the optimum, is %.2f times the optimum (0.5 to 2: %s).",
                        located.optimum(),
                        located.ratio(),
                        located.rule(),
                        verdict(located.ratio(), range),
                        MILLIS * located.cost(),
                        range.factor(),
                        range.low(),
                        range.high(),
                        nearest.texts("interval_ms").get(0),
                        advised,
                        RATIO.verdict(advised))
                .paragraph(
                        "This is no run with a failure a minute, of which an hour would give 60. The loss to checkpoints is that of"
                                + " the rate between the first and the last checkpoint of a run against runs without any in the same"
                                + " round, medians of the rounds; the interval 0 stands for those. It follows %.4f +"
                                + " %.4f f + %.4f / f for f checkpoints a second: what each costs, and what it costs to hold rows on the"
                                + " heap until the next one; the constant is the same at any interval. A failure is a SIGKILL of a job in a JVM of its own, at a random"
                                + " moment of its interval; lost is the time until a new JVM has read what the old one had read:"
                                + " %.2f s and %.2f s for each second of work that was not committed. The optimum is where the"
                                + " sum of both is least, M being 60 s; it is drawn again 400 times from the same rounds and kills, and"
                                + " 90 of 100 lie in the range given.",
                        located.law().constant(),
                        located.law().each(),
                        located.law().held(),
                        failure.intercept(),
                        failure.slope())
                .table(
                        measured,
                        "interval_ms",
                        "interval, ms",
                        "checkpoints_per_s",
                        "checkpoints/s",
                        "events_per_s",
                        "events/s",
                        "lost_pct",
                        "lost, %",
                        "cost_ms",
                        "cost by the job's own count, ms",
                        "advised_ms",
                        "advised, ms",
                        "kills",
                        "kills",
                        "lost_s",
                        "lost to one, s")
                .paragraph(
                        "What the two laws make of intervals of 50 ms to 1 s; the first goes on rising at longer ones, where what was"
                                + " measured need not.")
                .table(
                        sweep,
                        "interval_ms",
                        "interval, ms",
                        "checkpoints_pct",
                        "lost to checkpoints, %",
                        "failures_pct",
                        "lost to failures, %",
                        "total_pct",
                        "together, %")
                .figure("Time lost by interval", "E5-lost.png")
                .lines();
    }

    private static String verdict(double ratio, Located.Range range) {
        if (range.factor() <= LOCATED_WITHIN) {
            return RATIO.verdict(ratio);
        }
        return RATIO.holds(ratio)
                ? "inside, but the optimum is not located well enough to confirm it"
                : "outside, but the optimum is not located well enough to refute it";
    }

    /** Of the intervals whose runs asked the advisor. */
    private static Table nearest(Table measured, double optimum) {
        String nearest = measured
                .where("cost_ms", cost -> !cost.isEmpty())
                .where("interval_ms", interval -> !interval.equals("0"))
                .texts("interval_ms")
                .stream()
                .min((a, b) -> Double.compare(distance(a, optimum), distance(b, optimum)))
                .orElseThrow();
        return measured.where("interval_ms", nearest);
    }

    private static double distance(String intervalMillis, double optimum) {
        return Math.abs(Math.log(Double.parseDouble(intervalMillis) / MILLIS / optimum));
    }
}
