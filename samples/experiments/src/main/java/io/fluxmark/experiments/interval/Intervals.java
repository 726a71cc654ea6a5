package io.fluxmark.experiments.interval;

import io.fluxmark.benchmarks.Workload;
import io.fluxmark.benchmarks.durable.FilledLog;
import io.fluxmark.benchmarks.log.Workspace;
import io.fluxmark.experiments.crash.Victim;
import io.fluxmark.experiments.measure.Experiment;
import io.fluxmark.experiments.measure.Figures;
import io.fluxmark.experiments.measure.Plots;
import io.fluxmark.experiments.measure.Scale;
import io.fluxmark.experiments.measure.Table;
import io.fluxmark.sinks.CheckpointAdvice;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.knowm.xchart.XYChart;
import reactor.core.scheduler.Schedulers;

/**
 * E5: the loss to checkpoints at each interval, against runs without any in the same round, and what a SIGKILL at a random moment costs;
 * together the loss with one failure a minute.
 */
public final class Intervals implements Experiment {

    private static final long SEED = 5;
    private static final double MILLION = 1e6;
    private static final Duration NO_INTERVAL = Victim.NEVER;

    /** So many of the longest interval are in each run. */
    private static final int INTERVALS = 3;

    private static final List<Long> SWEEP_MILLIS = List.of(50L, 100L, 200L, 500L, 1_000L);

    private final Table runs =
            new Table("round", "interval_ms", "checkpoints_per_s", "events_per_s", "lost_pct", "cost_ms", "advised_ms");
    private final Table kills = new Table("interval_ms", "replayed", "uncommitted_s", "lost_s");
    private final Map<Long, List<Located.Loss>> losses = new TreeMap<>();
    private final List<Located.Failure> failures = new ArrayList<>();
    private final List<Double> undisturbed = new ArrayList<>();

    private Scale scale = Scale.FULL;
    private double rate;

    /** For the registry. */
    public Intervals() {}

    @Override
    public List<String> measure(Path directory, Scale wanted, PrintStream out) throws IOException {
        this.scale = wanted;
        Workspace workspace = new Workspace(directory);
        workspace.within(files -> {
            Path logFiles = files.resolve(Victim.LOG);
            long events;
            try (FilledLog log = FilledLog.in(logFiles, 1, Workload.TUMBLING.generator(), base())) {
                warmUp(workspace, log);
                log.append(Workload.TUMBLING.generator(), Math.max(0, needed() - log.count()));
                events = log.count();
                int rounds = scale.of(6, 1);
                for (int round = 1; round <= rounds; round++) {
                    round(workspace, log, round);
                    out.println(Figures.text("E5: round %d of %d", round, rounds));
                }
            }
            kill(new Kills(workspace, logFiles, events, Schedulers.immediate(), SEED), out);
        });
        runs.write(directory.resolve("E5-runs.csv"));
        kills.write(directory.resolve("E5-kills.csv"));
        Located located = Located.of(losses, failures);
        Table measured = IntervalText.measured(runs, kills).write(directory.resolve("E5-intervals.csv"));
        Table sweep = sweep(located).write(directory.resolve("E5-sweep.csv"));
        plot(located, directory);
        return IntervalText.of(measured, sweep, located, Located.range(losses, failures));
    }

    private long base() {
        return scale.of(6_000_000L, 1_000_000L);
    }

    private List<Duration> intervals() {
        return scale.of(List.of(100, 200, 400, 800, 1_600, 3_200), List.of(10, 20, 40)).stream()
                .map(Duration::ofMillis)
                .toList();
    }

    private List<Duration> killed() {
        return scale.of(List.of(200, 800, 3_200), List.of(50, 300)).stream()
                .map(Duration::ofMillis)
                .toList();
    }

    private Duration warm() {
        return Duration.ofMillis(scale.of(2_000, 100));
    }

    /** For the longest interval killed, with room for a job that is faster than in the warm-up, and for the runs. */
    private long needed() {
        Duration longest = killed().get(killed().size() - 1).plus(warm());
        return Math.max(paced(), Math.max(2_500_000, (long) (1.6 * rate * seconds(longest))));
    }

    /** The events of a run, the same at each interval: how fast a job is depends on how long it has been running. */
    private long paced() {
        Duration longest = intervals().get(intervals().size() - 1);
        return Math.max(base(), (long) (INTERVALS / 0.8 * rate * seconds(longest)));
    }

    private void warmUp(Workspace workspace, FilledLog log) {
        run(workspace, log, intervals().get(1), base());
        rate = run(workspace, log, NO_INTERVAL, base()).rate();
    }

    private static Pace run(Workspace workspace, FilledLog log, Duration interval, long events) {
        Pace[] pace = new Pace[1];
        System.gc();
        workspace.within(files -> pace[0] = PaceRun.of(files, log, interval, events, Schedulers.immediate()));
        return pace[0];
    }

    /** One run at each interval and two without any, in an order of chance. */
    private void round(Workspace workspace, FilledLog log, int round) {
        List<Duration> order = new ArrayList<>(intervals());
        order.add(NO_INTERVAL);
        order.add(NO_INTERVAL);
        Collections.shuffle(order, new Random(SEED + round));
        List<Double> without = new ArrayList<>();
        Map<Duration, Pace> paces = new TreeMap<>();
        for (Duration interval : order) {
            Pace pace = run(workspace, log, interval, paced());
            if (interval.equals(NO_INTERVAL)) {
                without.add(pace.rate());
            } else {
                paces.put(interval, pace);
            }
        }
        double full =
                without.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
        undisturbed.add(full);
        paces.forEach((interval, pace) -> {
            double lost = 1 - pace.rate() / full;
            losses.computeIfAbsent(interval.toMillis(), i -> new ArrayList<>())
                    .add(new Located.Loss(pace.perSecond(), lost));
            runs.row(
                    round,
                    interval.toMillis(),
                    Figures.decimal(pace.perSecond(), 3),
                    Math.round(pace.rate()),
                    Figures.decimal(100 * lost, 2),
                    Figures.decimal(pace.cost().toNanos() / MILLION, 2),
                    pace.cost().isZero() ? 0 : advised(pace.cost()).toMillis());
        });
        runs.row(round, 0, 0, Math.round(full), Figures.decimal(0, 2), 0, 0);
    }

    private static Duration advised(Duration cost) {
        return new CheckpointAdvice(cost, Duration.ZERO, Duration.ofSeconds((long) Located.BETWEEN_FAILURES))
                .interval();
    }

    private void kill(Kills killer, PrintStream out) {
        double full = Figures.median(undisturbed);
        for (Duration interval : killed()) {
            for (Kill kill : killer.at(interval, scale.of(8, 1), warm())) {
                double uncommitted = kill.replayed() / full;
                double lost = kill.lostNanos() / 1e9;
                failures.add(new Located.Failure(uncommitted, lost));
                kills.row(
                        interval.toMillis(),
                        kill.replayed(),
                        Figures.decimal(uncommitted, 3),
                        Figures.decimal(lost, 3));
            }
            out.println(Figures.text("E5: killed at an interval of %d ms", interval.toMillis()));
        }
    }

    private static Table sweep(Located located) {
        Table sweep = new Table("interval_ms", "checkpoints_pct", "failures_pct", "total_pct");
        for (long millis : SWEEP_MILLIS) {
            double checkpoints = located.law().depending(1_000.0 / millis);
            double lost = located.lostToFailures(millis / 1_000.0);
            sweep.row(
                    millis,
                    Figures.decimal(100 * checkpoints, 2),
                    Figures.decimal(100 * lost, 2),
                    Figures.decimal(100 * (checkpoints + lost), 2));
        }
        return sweep;
    }

    private static void plot(Located located, Path directory) throws IOException {
        List<Double> seconds = new ArrayList<>();
        for (double at = 0.05; at <= 60; at *= 1.1) {
            seconds.add(at);
        }
        XYChart chart = Plots.linesOverLog(
                "Time lost with one failure a minute", "seconds between checkpoints", "% of all time");
        chart.getStyler().setYAxisMax(20.0);
        Plots.curve(
                chart,
                "to checkpoints",
                seconds,
                seconds.stream()
                        .map(at -> 100 * located.law().depending(1 / at))
                        .toList());
        Plots.curve(
                chart,
                "to failures",
                seconds,
                seconds.stream().map(at -> 100 * located.lostToFailures(at)).toList());
        Plots.curve(
                chart,
                "together",
                seconds,
                seconds.stream()
                        .map(at -> 100 * (located.law().depending(1 / at) + located.lostToFailures(at)))
                        .toList());
        Plots.write(chart, directory.resolve("E5-lost.png"));
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
