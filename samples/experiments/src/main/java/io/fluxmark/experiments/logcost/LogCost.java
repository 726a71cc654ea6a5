package io.fluxmark.experiments.logcost;

import io.fluxmark.benchmarks.log.Level;
import io.fluxmark.benchmarks.log.Workspace;
import io.fluxmark.experiments.measure.Experiment;
import io.fluxmark.experiments.measure.Figures;
import io.fluxmark.experiments.measure.Plots;
import io.fluxmark.experiments.measure.Scale;
import io.fluxmark.experiments.measure.Table;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.knowm.xchart.XYChart;
import reactor.core.scheduler.Schedulers;

/** E2: what appending costs, by durability, by the size of runs, and by the number of appenders. */
public final class LogCost implements Experiment {

    static final List<Integer> APPENDERS = List.of(1, 4, 16, 64, 256);
    static final List<Integer> RUNS = List.of(1, 16, 256);

    private static final double QUICK = 0.01;
    private static final int WARM_UPS = 1;
    private static final int ROUNDS = 5;

    /** For the registry. */
    public LogCost() {}

    @Override
    public List<String> measure(Path directory, Scale scale, PrintStream out) throws IOException {
        double share = scale.of(1.0, QUICK);
        int rounds = scale.of(ROUNDS, 1);
        List<Appending> ways = new ArrayList<>();
        for (Level level : Level.values()) {
            for (int run : RUNS) {
                APPENDERS.forEach(appenders -> ways.add(new Appending(level, appenders, run, share)));
            }
        }
        Workspace workspace = new Workspace(directory);
        for (int round = -WARM_UPS; round < rounds; round++) {
            for (Appending way : ways) {
                way.measure(workspace, Schedulers.immediate(), round >= 0);
            }
            out.println(Figures.text("E2: round %d of %d", round + WARM_UPS + 1, rounds + WARM_UPS));
        }
        Table table = new Table(
                "level", "run", "appenders", "records_per_s", "plain_per_s", "ratio", "p50_ms", "p99_ms", "p999_ms");
        ways.forEach(way -> table.row(way.row()));
        table.write(directory.resolve("E2-append.csv"));
        plot(table, 1, "E2-single.png", directory);
        plot(table, 256, "E2-runs.png", directory);
        return LogCostText.of(table);
    }

    private static void plot(Table table, int run, String file, Path directory) throws IOException {
        XYChart chart = Plots.linesOverLog(
                run == 1 ? "Single records" : "Runs of " + run + " records",
                "appenders, each waiting for its own",
                "records a second");
        chart.getStyler().setYAxisLogarithmic(true);
        Table shown = table.where("run", run);
        for (Level level : Level.values()) {
            Table rows = shown.where("level", level);
            Plots.line(chart, level.toString(), rows.numbers("appenders"), rows.numbers("records_per_s"));
        }
        Table synced = shown.where("level", Level.SYNC);
        Plots.line(
                chart,
                "plain loop, an fsync for each block of all",
                synced.numbers("appenders"),
                synced.numbers("plain_per_s"));
        Plots.write(chart, directory.resolve(file));
    }
}
