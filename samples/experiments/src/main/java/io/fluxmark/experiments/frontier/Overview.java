package io.fluxmark.experiments.frontier;

import io.fluxmark.experiments.measure.Figures;
import io.fluxmark.experiments.measure.Plots;
import io.fluxmark.experiments.measure.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.knowm.xchart.XYChart;

/** The three inputs side by side, each at the size of windows that the report speaks of. */
final class Overview {

    static final String DELAY = "delay_s";

    private static final double HOUR = 3_600;

    /** What comes after eight hours is in the table; in a plot it would push all else to the side. */
    private static final long LONGEST_SHOWN = 28_800;

    private Overview() {}

    /** A row for each delay; a cell is empty where an input has not been tried with it. */
    static Table of(Table curves, List<Subject> subjects) {
        List<String> columns = new ArrayList<>(List.of(DELAY));
        TreeSet<Long> delays = new TreeSet<>();
        for (Subject subject : subjects) {
            String name = subject.input().name();
            columns.addAll(List.of(name + "_percent", name + "_p50_s", name + "_p99_s"));
            subject.delays().forEach(delay -> delays.add(delay.toSeconds()));
        }
        Table table = new Table(columns.toArray(String[]::new));
        for (long delay : delays) {
            List<Object> row = new ArrayList<>(List.of(delay));
            for (Subject subject : subjects) {
                Table found = Curves.of(curves, subject, subject.size()).where(DELAY, delay);
                for (String column : List.of(Curves.COMPLETE, Curves.P50, Curves.P99)) {
                    row.add(found.rows().isEmpty() ? "" : found.texts(column).get(0));
                }
            }
            table.row(row.toArray());
        }
        return table;
    }

    /** Synthetic laws over a logarithmic axis; flights, whose results may come before the end of a window, over hours. */
    static void plot(Table curves, List<Subject> subjects, Path directory) throws IOException {
        XYChart laws = Plots.linesOverLog(
                "The frontier under two laws, by the size of windows",
                "emission latency (p50), s",
                "counted in time, %");
        XYChart flights = Plots.lines(
                "The frontier of the flights, by the size of windows",
                "emission latency (p50), h",
                "counted in time, %");
        for (Subject subject : subjects) {
            for (Duration size : subject.sizes()) {
                Table curve =
                        Curves.of(curves, subject, size).where(DELAY, delay -> Long.parseLong(delay) <= LONGEST_SHOWN);
                List<Double> complete = curve.numbers(Curves.COMPLETE);
                List<Double> latency = curve.numbers(Curves.P50);
                if (subject.law() == null) {
                    Plots.line(
                            flights,
                            Figures.duration(size),
                            latency.stream().map(s -> s / HOUR).toList(),
                            complete);
                } else {
                    Plots.line(laws, subject.input().name() + ", " + Figures.duration(size), latency, complete);
                }
            }
        }
        Plots.write(laws, directory.resolve("E3-laws.png"));
        Plots.write(flights, directory.resolve("E3-flights.png"));
    }
}
