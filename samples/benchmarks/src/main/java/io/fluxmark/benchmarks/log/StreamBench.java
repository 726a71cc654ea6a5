package io.fluxmark.benchmarks.log;

import io.fluxmark.benchmarks.Contender;
import io.fluxmark.benchmarks.Measurement;
import io.fluxmark.benchmarks.Series;
import io.fluxmark.log.LogSpec;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongFunction;
import reactor.core.scheduler.Scheduler;

/** A stream of records appended, and read again from the system's cache, beside the plain loop at the same level. */
final class StreamBench {

    private static final double NANOS_PER_SECOND = 1e9;
    private static final double MILLION = 1e6;
    /** One segment holds all, so that at the level OS the log forces nothing either. */
    private static final long SEGMENT_BYTES = 1 << 30;

    private final LogBenchOptions options;
    private final Scheduler clock;
    private final Workspace workspace;
    private final Level level;
    private final int partitions;
    private final Row append;
    private final Row readRuns;
    private final Row readRecords;

    StreamBench(LogBenchOptions options, Scheduler clock, Workspace workspace, Level level, int partitions) {
        this.options = options;
        this.clock = clock;
        this.workspace = workspace;
        this.level = level;
        this.partitions = partitions;
        String where = partitions == 1 ? ", 1 partition" : ", " + partitions + " partitions";
        append = new Row("append, " + level + where);
        readRuns = new Row("read, runs of 256" + where);
        readRecords = new Row("read, record by record" + where);
    }

    /** What is measured of one thing, round by round. */
    private record Row(String name, Series plain, Series ours) {

        Row(String name) {
            this(name, new Series(new Contender(name, n -> n)), new Series(new Contender(name, n -> n)));
        }
    }

    private boolean reads() {
        return level == Level.OS;
    }

    /** Runs each once; the first rounds do not count. */
    void round(boolean counts) {
        workspace.within(directory -> plain(directory, counts));
        workspace.within(directory -> ours(directory, counts));
    }

    private void plain(Path directory, boolean counts) {
        PlainLog log = new PlainLog(directory, partitions, PlainLog.USUAL_BLOCK, clock);
        measure(append.plain, counts, n -> log.append(n, level));
        if (reads()) {
            measure(readRuns.plain, counts, n -> log.read());
            measure(readRecords.plain, counts, n -> log.read());
        }
    }

    private void ours(Path directory, boolean counts) {
        LogSpec spec = LogSpec.defaults().durability(level.durability()).segmentBytes(SEGMENT_BYTES);
        try (LogUnderTest log = LogUnderTest.open(directory, partitions, spec)) {
            measure(append.ours, counts, log::appendStream);
            if (reads()) {
                measure(readRuns.ours, counts, n -> log.readRuns());
                measure(readRecords.ours, counts, n -> log.readRecords());
            }
        }
    }

    private void measure(Series series, boolean counts, LongFunction<Object> body) {
        Measurement measurement = Measurement.of(new Contender(series.name(), body), options.records(level), clock);
        if (counts) {
            series.add(measurement);
        }
    }

    static void printHeader(PrintStream out) {
        out.printf(
                "%n%-36s %10s %10s %10s %10s %8s %9s%n%-36s %10s %10s %10s %10s %8s %9s%n",
                "",
                "plain",
                "plain",
                "Fluxmark",
                "Fluxmark",
                "ratio",
                "CPU",
                "",
                "M/s",
                "MB/s",
                "M/s",
                "MB/s",
                "",
                "s/M");
    }

    /** Prints what was measured: medians of the rounds. Answers whether plain and ours found the same. */
    boolean report(PrintStream out) {
        List<Row> rows = new ArrayList<>(List.of(append));
        if (reads()) {
            rows.addAll(List.of(readRuns, readRecords));
        }
        boolean equal = true;
        for (Row row : rows) {
            double plain = rate(row.plain);
            double ours = rate(row.ours);
            out.printf(
                    Locale.ROOT,
                    "%-36s %10.2f %10.0f %10.2f %10.0f %8.2f %9.3f%n",
                    row.name,
                    plain,
                    plain * Payload.BYTES,
                    ours,
                    ours * Payload.BYTES,
                    row.ours.medianRatioTo(row.plain, Measurement::nanos),
                    row.ours.median(Measurement::cpuNanos) / NANOS_PER_SECOND / options.records(level) * MILLION);
            if (!row.plain.outcome().equals(row.ours.outcome())) {
                out.printf("DIFFERENT: plain %s, ours %s%n", row.plain.outcome(), row.ours.outcome());
                equal = false;
            }
        }
        return equal;
    }

    private double rate(Series series) {
        return options.records(level) / MILLION / (series.median(Measurement::nanos) / NANOS_PER_SECOND);
    }
}
