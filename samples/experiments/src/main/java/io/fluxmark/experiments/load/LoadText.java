package io.fluxmark.experiments.load;

import io.fluxmark.experiments.measure.Prediction;
import io.fluxmark.experiments.measure.Section;
import io.fluxmark.experiments.measure.Table;
import java.util.List;

/** What the report says about load, around the measured table. */
final class LoadText {

    /** Of the lag at 120 %, ms for each second. */
    private static final Prediction SLOPE = new Prediction(140, 185);

    /** Below what slope the lag at 80 % does not grow: a thousandth of the run, ms for each second. */
    private static final double STANDING = 1;

    /** Of the lag at 100 %: 2 % of the run, ms for each second. */
    private static final double SLOW = 20;

    private LoadText() {}

    static List<String> of(Table loads) {
        double over = cell(loads, Load.OVERLOAD, "slope_ms_per_s");
        double later = cell(loads, 80, "last_third_ms_per_s");
        double full = cell(loads, 100, "slope_ms_per_s");
        return new Section("E11")
                .paragraph(
                        "Measured: **at 120 %% load the lag grows by %.1f ms per second (140 to 185: %s).** At 80 %% it grows by"
                                + " %.2f ms per second after the first minute (not more than %.0f: %s), at 100 %% by %.1f ms per second"
                                + " (below %.0f: %s).",
                        over,
                        SLOPE.verdict(over),
                        later,
                        STANDING,
                        Prediction.verdict(later <= STANDING),
                        full,
                        SLOW,
                        Prediction.verdict(full < SLOW))
                .paragraph(
                        "A job over a log of one partition (some arithmetic on each event, windows of 10 s, %,d keys, a commit"
                                + " every second) and a producer on one machine. What it sustains, %,.0f events a second, is what it works through of a backlog"
                                + " beside a producer at that rate. Every event has a moment at which it is due, and lag and"
                                + " latencies count from that, so that a producer that is late itself (its worst: last column)"
                                + " is a part of them. An event is worked on when it comes to the windows; it is durable with the"
                                + " commit that holds its effect. Slopes are those of straight lines through the lag after a"
                                + " sixth of the run.",
                        LoadedJob.KEYS, cell(loads, 100, "per_second"))
                .table(
                        loads,
                        "load_percent",
                        "load, %",
                        "per_second",
                        "events/s",
                        "seconds",
                        "seconds",
                        "slope_ms_per_s",
                        "lag grows, ms/s",
                        "last_lag_ms",
                        "lag at the end, ms",
                        "worked_p50_ms",
                        "worked on, p50, ms",
                        "worked_p99_ms",
                        "p99, ms",
                        "durable_p50_ms",
                        "durable, p50, ms",
                        "durable_p99_ms",
                        "p99, ms",
                        "producer_late_ms",
                        "producer late, ms")
                .figure("Lag by load", "E11-lag.png")
                .lines();
    }

    private static double cell(Table loads, int percent, String column) {
        return loads.where("load_percent", percent).number(column);
    }
}
