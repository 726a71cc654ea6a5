package io.fluxmark.experiments.logcost;

import io.fluxmark.benchmarks.log.Level;
import io.fluxmark.experiments.measure.Figures;
import io.fluxmark.experiments.measure.Prediction;
import io.fluxmark.experiments.measure.Section;
import io.fluxmark.experiments.measure.Table;
import java.util.List;

/** What the report says about the cost of the log, around the measured table. */
final class LogCostText {

    private static final double MILLION = 1e6;

    /** Of one appender of runs of 256 at OS, in M records a second. */
    private static final Prediction RATE = new Prediction(2.5, 6);

    /** How many times as fast as one appender 16 are to be at SYNC, at least. */
    private static final double GROUPED = 5;

    private LogCostText() {}

    static List<String> of(Table table) {
        double rate = cell(table, Level.OS, 1, 256, "records_per_s") / MILLION;
        double grouped =
                cell(table, Level.SYNC, 16, 1, "records_per_s") / cell(table, Level.SYNC, 1, 1, "records_per_s");
        return new Section("E2")
                .paragraph(
                        "Measured: **one appender of runs of 256 at OS appends %.1f million records a second (%s); 16"
                                + " appenders of single records at SYNC append %.1f times as many as one (at least %s times:"
                                + " %s).** An append there takes %s ms of one appender, %s ms of 16 and %s ms of 256 (medians).",
                        rate,
                        RATE.verdict(rate),
                        grouped,
                        Figures.decimal(GROUPED, 0),
                        Prediction.verdict(grouped >= GROUPED),
                        text(table, 1),
                        text(table, 16),
                        text(table, 256))
                .paragraph(
                        "Records of 100 bytes, one partition, one segment. Each appender appends a run, waits for its result,"
                                + " and appends the next. Beside it a plain loop that writes blocks of as many records as"
                                + " may be under way at a time, up to 655, and treats each block as the level says: at SYNC one"
                                + " fsync for each is the limit of the disk. Rates are medians of the rounds; latencies are of all"
                                + " appends, each waiting for its own.")
                .table(
                        table.where("run", run -> !run.equals("16")),
                        "level",
                        "durability",
                        "run",
                        "records in a run",
                        "appenders",
                        "appenders",
                        "records_per_s",
                        "records/s",
                        "plain_per_s",
                        "plain loop",
                        "ratio",
                        "ratio",
                        "p50_ms",
                        "p50, ms",
                        "p99_ms",
                        "p99, ms",
                        "p999_ms",
                        "p99.9, ms")
                .figure("Single records by number of appenders", "E2-single.png")
                .figure("Runs of 256 by number of appenders", "E2-runs.png")
                .lines();
    }

    private static String text(Table table, int appenders) {
        return Figures.decimal(cell(table, Level.SYNC, appenders, 1, "p50_ms"), 2);
    }

    private static double cell(Table table, Level level, int appenders, int run, String column) {
        return table.where("level", level)
                .where("appenders", appenders)
                .where("run", run)
                .number(column);
    }
}
