package io.fluxmark.experiments.rebalance;

import io.fluxmark.experiments.measure.Figures;
import io.fluxmark.experiments.measure.Prediction;
import io.fluxmark.experiments.measure.Section;
import io.fluxmark.experiments.measure.Table;
import io.fluxmark.log.RebalanceProtocol;
import java.util.List;

/** What the report says about rebalances, around the measured tables. */
final class RebalanceText {

    /** How many times as much partition time the eager protocol stops. */
    private static final Prediction RATIO = new Prediction(2.0, 4.5);

    /** The longest gap, ms, in a partition that does not move. */
    private static final double UNTOUCHED_MILLIS = 10;

    private RebalanceText() {}

    /** Medians over the rounds, and the sums of what must be 0. */
    static Table summary(Table rounds) {
        Table summary = new Table(
                "protocol",
                "taken",
                "stopped_ms",
                "median_pause_ms",
                "longest_pause_ms",
                "untouched_gap_ms",
                "duplicates",
                "gaps");
        for (RebalanceProtocol protocol : RebalanceProtocol.values()) {
            Table of = rounds.where("protocol", Rebalances.name(protocol));
            summary.row(
                    Rebalances.name(protocol),
                    Math.round(median(of, "taken")),
                    Figures.decimal(median(of, "stopped_ms"), 2),
                    Figures.decimal(median(of, "median_pause_ms"), 2),
                    Figures.decimal(median(of, "longest_pause_ms"), 2),
                    Figures.decimal(median(of, "untouched_gap_ms"), 2),
                    Math.round(sum(of, "duplicates")),
                    Math.round(sum(of, "gaps")));
        }
        return summary;
    }

    static List<String> of(Table summary) {
        double ratio = cell(summary, RebalanceProtocol.EAGER, "stopped_ms")
                / cell(summary, RebalanceProtocol.COOPERATIVE, "stopped_ms");
        double wrong = sum(summary, "duplicates") + sum(summary, "gaps");
        double untouched = cell(summary, RebalanceProtocol.COOPERATIVE, "untouched_gap_ms");
        return new Section("E8")
                .paragraph(
                        "Measured: **the eager protocol stops %.1f times as much partition time as the cooperative one"
                                + " (%s); %.0f duplicates and gaps (%s); in a partition that does not move the longest gap is"
                                + " %.1f ms (below 10: %s).**",
                        ratio,
                        RATIO.verdict(ratio),
                        wrong,
                        Prediction.verdict(wrong == 0),
                        untouched,
                        Prediction.verdict(untouched < UNTOUCHED_MILLIS))
                .paragraph(
                        "A third member joins a busy group of two over 12 partitions. A partition stands still from when it is"
                                + " taken from a member to the first record of its next owner; in between what is in flight"
                                + " is finished and the offsets are committed with an fsync. Medians of the rounds;"
                                + " duplicates and gaps are of all rounds.")
                .table(
                        summary,
                        "protocol",
                        "protocol",
                        "taken",
                        "partitions taken",
                        "stopped_ms",
                        "stopped in all, ms",
                        "median_pause_ms",
                        "median pause, ms",
                        "longest_pause_ms",
                        "longest pause, ms",
                        "untouched_gap_ms",
                        "gap where nothing moves, ms",
                        "duplicates",
                        "duplicates",
                        "gaps",
                        "gaps")
                .figure("Partition time stopped by a third member", "E8-stopped.png")
                .lines();
    }

    private static double cell(Table summary, RebalanceProtocol protocol, String column) {
        return summary.where("protocol", Rebalances.name(protocol)).number(column);
    }

    private static double sum(Table table, String column) {
        return table.numbers(column).stream().mapToDouble(Double::doubleValue).sum();
    }

    private static double median(Table table, String column) {
        return Figures.median(table.numbers(column));
    }
}
