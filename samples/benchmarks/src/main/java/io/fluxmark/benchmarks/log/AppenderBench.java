package io.fluxmark.benchmarks.log;

import io.fluxmark.benchmarks.Contender;
import io.fluxmark.benchmarks.Measurement;
import io.fluxmark.benchmarks.Series;
import io.fluxmark.log.LogSpec;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Locale;
import org.HdrHistogram.Histogram;
import reactor.core.scheduler.Scheduler;

/**
 * So many appenders of single records. Beside them a plain loop that puts as many records as there are appenders into a block and
 * treats each block as the level says: with SYNC, one fsync for all of them, nothing can be faster.
 */
final class AppenderBench {

    private static final int DIGITS = 3;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double NANOS_PER_MILLI = 1e6;

    private final Scheduler clock;
    private final Workspace workspace;
    private final Level level;
    private final int appenders;
    private final Disk disk;
    private final long appends;
    private final Series plain;
    private final Series ours;
    private final Histogram latencies = new Histogram(DIGITS);
    private long forces;

    AppenderBench(
            LogBenchOptions options, Scheduler clock, Workspace workspace, Level level, int appenders, Disk disk) {
        this.disk = disk;
        this.clock = clock;
        this.workspace = workspace;
        this.level = level;
        this.appenders = appenders;
        this.appends = options.appends(level, appenders);
        this.plain = new Series(new Contender("plain", n -> n));
        this.ours = new Series(new Contender("ours", n -> n));
    }

    /** Runs each once; the first rounds do not count. */
    void round(boolean counts) {
        workspace.within(directory -> plain(directory, counts));
        workspace.within(directory -> ours(directory, counts));
    }

    private void plain(Path directory, boolean counts) {
        PlainLog log = new PlainLog(directory, 1, appenders, clock, disk);
        Measurement measurement = Measurement.of(new Contender("plain", n -> log.append(n, level)), appends, clock);
        if (counts) {
            plain.add(measurement);
        }
    }

    private void ours(Path directory, boolean counts) {
        CountingStorage storage = new CountingStorage(disk);
        try (LogUnderTest log = LogUnderTest.open(
                directory, 1, LogSpec.defaults().durability(level.durability()).storage(storage))) {
            Appenders all = new Appenders(log, clock);
            long before = storage.forces();
            Measurement measurement =
                    Measurement.of(new Contender("ours", n -> all.run(appenders, 1, n)), appends, clock);
            if (counts) {
                ours.add(measurement);
                forces += storage.forces() - before;
                latencies.add(all.latencies());
            }
        }
    }

    static void printHeader(PrintStream out) {
        out.printf(
                "%n%-42s %10s %10s %8s %10s %8s %8s %8s %8s%n%-42s %10s %10s %8s %10s %8s %8s %8s %8s%n",
                "",
                "plain",
                "Fluxmark",
                "ratio",
                "appends",
                "p50",
                "p99",
                "p99.9",
                "max",
                "",
                "k/s",
                "k/s",
                "",
                "per fsync",
                "ms",
                "ms",
                "ms",
                "ms");
    }

    /** Prints what was measured: medians of the rounds, the latencies of all of them. Answers whether all was acknowledged. */
    boolean report(PrintStream out) {
        out.printf(
                Locale.ROOT,
                "%-42s %10.1f %10.1f %8.2f %10s %8.3f %8.3f %8.3f %8.3f%n",
                "append, " + level + ", " + appenders + (appenders == 1 ? " appender" : " appenders") + onWhat(),
                rate(plain),
                rate(ours),
                ours.medianRatioTo(plain, Measurement::nanos),
                forces == 0 ? "-" : String.format(Locale.ROOT, "%.1f", (double) latencies.getTotalCount() / forces),
                millis(50),
                millis(99),
                millis(99.9),
                latencies.getMaxValue() / NANOS_PER_MILLI);
        return ours.measurements().stream()
                .allMatch(measurement -> measurement.outcome().equals(appends));
    }

    private String onWhat() {
        return disk.leastNanos() == 0 ? "" : ", " + Math.round(disk.leastNanos() / NANOS_PER_MILLI) + " ms disk";
    }

    private double rate(Series series) {
        return appends / 1000.0 / (series.median(Measurement::nanos) / NANOS_PER_SECOND);
    }

    private double millis(double percentile) {
        return latencies.getValueAtPercentile(percentile) / NANOS_PER_MILLI;
    }
}
