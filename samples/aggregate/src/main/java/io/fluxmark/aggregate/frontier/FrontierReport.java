package io.fluxmark.aggregate.frontier;

import io.fluxmark.aggregate.DurationText;
import io.fluxmark.experiments.measure.Plots;
import io.fluxmark.windows.DelayChoice;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.knowm.xchart.XYChart;

/** What was measured, as a table, as CSV and as a plot. */
final class FrontierReport {

    private static final int MEDIAN = 500;
    private static final int P99 = 990;
    private static final String LINE = "%-12s %12s %12s %18s %14s %14s %12s %10s%n";

    private final String windows;
    private final boolean arrivals;
    private final List<FrontierPoint> points;
    private final Lateness lateness;
    private final long rejected;

    FrontierReport(String windows, boolean arrivals, List<FrontierPoint> points, Lateness lateness, long rejected) {
        this.windows = windows;
        this.arrivals = arrivals;
        this.points = points;
        this.lateness = lateness;
        this.rejected = rejected;
    }

    void print(PrintStream out) {
        long events = lateness.behind().total();
        out.printf(
                Locale.ROOT,
                "%,d events (%,d rejected) in windows %s; %s out of order, at most %s behind%n",
                events,
                rejected,
                windows,
                percent(lateness.behind().above(0), events),
                DurationText.text(lateness.behind().quantile(1_000)));
        out.println("Latency: from the end of a window to its first emission, "
                + (arrivals ? "arrival clock" : "event-clock lower bound (no --arrival)")
                + "; windows that fire only at the end of the input stand apart.");
        out.println();
        out.printf(
                LINE,
                "delay",
                "completeness",
                "late events",
                "later than delay",
                "latency p50",
                "latency p99",
                "emissions",
                "at end");
        for (FrontierPoint point : points) {
            out.printf(
                    LINE,
                    point.label(),
                    String.format(Locale.ROOT, "%.3f %%", 100 * point.completeness()),
                    String.format(Locale.ROOT, "%,d", point.late()),
                    percent(later(point), events),
                    latency(point, MEDIAN),
                    latency(point, P99),
                    String.format(Locale.ROOT, "%,d", point.latency().total()),
                    String.format(Locale.ROOT, "%,d", point.atEnd()));
        }
        out.println();
        out.printf(
                "Smallest delay for a completeness of 99 %%: %s, of 99.9 %%: %s, of 100 %%: %s%n",
                needed(990), needed(999), needed(1_000));
        for (FrontierPoint point : points) {
            if (point.chosen() != null) {
                out.println(choice(point, point.chosen()));
            }
        }
    }

    /** Events behind the watermark before them. */
    private long later(FrontierPoint point) {
        DelayChoice chosen = point.chosen();
        return chosen == null ? lateness.behind().above(point.delayMillis()) : chosen.behind();
    }

    private String choice(FrontierPoint point, DelayChoice chosen) {
        String best = DurationText.text(lateness.behind().smallestFor(chosen.wanted()));
        String inTime = String.format(Locale.ROOT, "%.3f %%", 100 * chosen.completeness());
        return chosen.isLearning()
                ? point.label() + ": too few events, or too short a time, to choose: the longest delay, "
                        + DurationText.text(chosen.delayMillis()) + ", to the end; in hindsight " + best
                        + " would have been enough"
                : point.label() + ": " + inTime + " in time, with a delay of " + DurationText.text(chosen.delayMillis())
                        + " in the end, changed " + chosen.changes() + " times; in hindsight the best fixed one is "
                        + best;
    }

    private static String percent(long part, long whole) {
        return String.format(Locale.ROOT, "%.3f %%", whole == 0 ? 0 : 100.0 * part / whole);
    }

    private static String latency(FrontierPoint point, int perMille) {
        if (point.latency().total() == 0) {
            return "-";
        }
        long millis = point.latency().quantile(perMille);
        return millis < 0 ? "-" + DurationText.text(-millis) : DurationText.text(millis);
    }

    private String needed(int perMille) {
        return DurationText.text(lateness.needed().quantile(perMille));
    }

    void writeCsv(Path file) throws IOException {
        String clock = arrivals ? "arrival_clock" : "event_clock_lower_bound";
        List<String> lines = new ArrayList<>();
        lines.add("delay_ms,completeness,late_events,later_than_delay,latency_p50_ms_" + clock + ",latency_p99_ms_"
                + clock + ",emissions,at_end");
        for (FrontierPoint point : points) {
            boolean known = point.latency().total() > 0;
            lines.add(String.format(
                    Locale.ROOT,
                    "%s,%.6f,%d,%.6f,%s,%s,%d,%d",
                    point.chosen() == null ? point.delayMillis() : point.label(),
                    point.completeness(),
                    point.late(),
                    (double) later(point) / Math.max(1, lateness.behind().total()),
                    known ? point.latency().quantile(MEDIAN) : "",
                    known ? point.latency().quantile(P99) : "",
                    point.latency().total(),
                    point.atEnd()));
        }
        Files.write(file, lines);
    }

    void plot(Path file) throws IOException {
        XYChart chart = Plots.lines(
                "Completeness against latency, windows " + windows + ", one point per delay",
                "window end to first emission, s (" + (arrivals ? "arrival clock" : "event-clock lower bound") + ")",
                "completeness, %");
        for (int perMille : new int[] {MEDIAN, P99}) {
            List<Double> seconds = new ArrayList<>();
            List<Double> percent = new ArrayList<>();
            for (FrontierPoint point : points) {
                if (point.chosen() == null && point.latency().total() > 0) {
                    seconds.add(point.latency().quantile(perMille) / 1e3);
                    percent.add(100 * point.completeness());
                }
            }
            if (!seconds.isEmpty()) {
                Plots.line(chart, perMille == MEDIAN ? "p50" : "p99", seconds, percent);
            }
        }
        for (FrontierPoint point : points) {
            if (point.chosen() != null && point.latency().total() > 0) {
                Plots.line(
                        chart,
                        point.label() + ", p50",
                        List.of(point.latency().quantile(MEDIAN) / 1e3),
                        List.of(100 * point.completeness()));
            }
        }
        Plots.write(chart, file);
    }
}
