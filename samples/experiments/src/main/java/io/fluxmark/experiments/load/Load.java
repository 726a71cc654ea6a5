package io.fluxmark.experiments.load;

import io.fluxmark.benchmarks.log.Workspace;
import io.fluxmark.experiments.measure.Experiment;
import io.fluxmark.experiments.measure.Figures;
import io.fluxmark.experiments.measure.Plots;
import io.fluxmark.experiments.measure.Scale;
import io.fluxmark.experiments.measure.Table;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.knowm.xchart.XYChart;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** E11: events on a schedule at some shares of the rate that the job sustains, which is measured first. */
public final class Load implements Experiment {

    static final int OVERLOAD = 120;

    /** The loads in percent, and for how many seconds each is run: at 80 % also what comes behind the first minute counts. */
    private static final Map<Integer, Integer> SECONDS = new TreeMap<>(Map.of(50, 30, 80, 90, 100, 60, OVERLOAD, 60));

    /** The first guess of the rate, which the first runs correct. */
    private static final double GUESS = 300_000;

    /** For the registry. */
    public Load() {}

    @Override
    public List<String> measure(Path directory, Scale scale, PrintStream out) throws IOException {
        Workspace workspace = new Workspace(directory);
        Scheduler clock = Schedulers.newSingle("e11-clock");
        Table samples = new Table("load_percent", "second", "lag_ms", "lag_records");
        Table loads = new Table(
                "load_percent",
                "per_second",
                "seconds",
                "slope_ms_per_s",
                "last_third_ms_per_s",
                "last_lag_ms",
                "worked_p50_ms",
                "worked_p99_ms",
                "durable_p50_ms",
                "durable_p99_ms",
                "producer_late_ms");
        try {
            double capacity = new Capacity(
                            workspace,
                            clock,
                            scale.of(Duration.ofSeconds(3), Duration.ofMillis(200)),
                            scale.of(Duration.ofSeconds(10), Duration.ofMillis(500)))
                    .measure(scale.of(GUESS, GUESS / 10), scale.of(3, 1));
            out.println(Figures.text("E11: the job sustains %,.0f events a second", capacity));
            SECONDS.forEach((percent, seconds) -> {
                Duration time = scale.of(Duration.ofSeconds(seconds), Duration.ofSeconds(1));
                new LoadRun(percent, capacity, time, clock).run(workspace, samples, loads);
                out.println("E11: " + percent + " % for " + Figures.duration(time));
            });
        } finally {
            clock.dispose();
        }
        samples.write(directory.resolve("E11-lag.csv"));
        loads.write(directory.resolve("E11-loads.csv"));
        plot(samples, directory);
        return LoadText.of(loads);
    }

    private static void plot(Table samples, Path directory) throws IOException {
        XYChart chart = Plots.lines("Lag by load", "second", "ms behind the schedule");
        SECONDS.keySet().forEach(percent -> {
            Table of = samples.where("load_percent", percent);
            Plots.curve(chart, percent + " %", of.numbers("second"), of.numbers("lag_ms"));
        });
        Plots.write(chart, directory.resolve("E11-lag.png"));
    }
}
