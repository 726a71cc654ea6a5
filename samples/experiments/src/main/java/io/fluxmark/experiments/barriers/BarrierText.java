package io.fluxmark.experiments.barriers;

import io.fluxmark.experiments.measure.Figures;
import io.fluxmark.experiments.measure.Prediction;
import io.fluxmark.experiments.measure.Section;
import io.fluxmark.experiments.measure.Table;
import java.util.List;

/** What the report says about barriers, around the measured tables. */
final class BarrierText {

    /** How many times as long a lane stands still if it waits for its commit. */
    private static final Prediction RATIO = new Prediction(15, 80);

    /** The longest asynchronous pause in the median, ms. */
    private static final double PAUSE_MILLIS = 15;

    private static final double LONG = 0.9;

    private BarrierText() {}

    /** Over all barriers of a change and mode. */
    static Table summary(Table barriers) {
        Table summary =
                new Table("changed", "mode", "barriers", "pause_ms", "pause_p90_ms", "commit_ms", "drop_pct", "waited");
        for (String changed : barriers.texts("changed").stream().distinct().toList()) {
            for (String mode : List.of(Barriers.ASYNCHRONOUS, Barriers.STOP_THE_WORLD)) {
                Table rows = barriers.where("changed", changed).where("mode", mode);
                List<Double> pauses = rows.numbers("pause_ms").stream().sorted().toList();
                summary.row(
                        changed,
                        mode,
                        pauses.size(),
                        Figures.decimal(Figures.median(pauses), 2),
                        Figures.decimal(pauses.get((int) Math.ceil(LONG * pauses.size()) - 1), 2),
                        Figures.decimal(Figures.median(rows.numbers("commit_ms")), 2),
                        mode.equals(Barriers.ASYNCHRONOUS) ? drop(rows) : "",
                        rows.numbers("waited").stream()
                                .mapToInt(Double::intValue)
                                .sum());
            }
        }
        return summary;
    }

    /**
     * By how much a lane is slower while its commit is under way than behind it, in percent of the latter; nothing where it came to the
     * next barrier before.
     */
    private static String drop(Table rows) {
        double during = Figures.median(rows.numbers("events_per_s_during"));
        double after = Figures.median(rows.numbers("events_per_s_after"));
        return after == 0 ? "" : Figures.percent(after - during, after, 1);
    }

    /** The pauses of the two modes by change. */
    static Table ratios(Table summary) {
        Table ratios = new Table("changed", "asynchronous_ms", "stop_the_world_ms", "ratio");
        for (String changed : summary.texts("changed").stream().distinct().toList()) {
            Table rows = summary.where("changed", changed);
            double asynchronous = rows.where("mode", Barriers.ASYNCHRONOUS).number("pause_ms");
            double stopped = rows.where("mode", Barriers.STOP_THE_WORLD).number("pause_ms");
            ratios.row(
                    changed,
                    Figures.decimal(asynchronous, 2),
                    Figures.decimal(stopped, 2),
                    Figures.decimal(stopped / asynchronous, 1));
        }
        return ratios;
    }

    private static String slowdown(String drop) {
        return drop.isEmpty()
                ? "What a commit under way costs the lane (foreseen: 10 to 25 % of its speed) can't be said: it was at its next"
                        + " barrier before any was durable."
                : "While a commit runs the lane is " + drop + " % slower (foreseen: 10 to 25 %).";
    }

    static List<String> of(Table summary, Table ratios, Table model) {
        double ratio = ratios.numbers("ratio").get(0);
        double pause = ratios.numbers("asynchronous_ms").get(0);
        String drop =
                summary.where("mode", Barriers.ASYNCHRONOUS).texts("drop_pct").get(0);
        Table aligned = model.where("barriers", "aligned").where("inputs", inputs -> inputs.contains("slow"));
        Table unaligned = model.where("barriers", "unaligned").where("event_us", 1);
        double wrong = sum(model, "lost") + sum(model, "doubled");
        return new Section("E13")
                .paragraph(
                        "Measured: **at %s entries of the map the stop-the-world pause is %.1f times the asynchronous one (predicted"
                                + " 40, range 15 to 80: %s).** The asynchronous pause is %.2f ms in the median (at most 15 ms: %s). %s"
                                + " For entries side by side, as those of a pane, the ratio is %s (foreseen: 4 to 6), for %s ones %s (foreseen: about 20).",
                        ratios.texts("changed").get(0),
                        ratio,
                        RATIO.verdict(ratio),
                        pause,
                        Prediction.verdict(pause <= PAUSE_MILLIS),
                        slowdown(drop),
                        ratios.texts("ratio").get(1),
                        ratios.texts("changed").get(2),
                        ratios.texts("ratio").get(2))
                .paragraph(
                        "One lane over a map in a store with default settings, a barrier behind every so many events, about a"
                                + " microsecond for each. The pause is the time from the last event before a barrier to the first one"
                                + " behind, noted at every 16th event; both modes take turns on the same store. Waited: the commit"
                                + " before was not durable yet.")
                .table(
                        ratios,
                        "changed",
                        "entries changed",
                        "asynchronous_ms",
                        "asynchronous pause, ms",
                        "stop_the_world_ms",
                        "stop-the-world pause, ms",
                        "ratio",
                        "ratio")
                .table(
                        summary,
                        "changed",
                        "entries changed",
                        "mode",
                        "mode",
                        "barriers",
                        "barriers",
                        "pause_ms",
                        "pause, ms",
                        "pause_p90_ms",
                        "p90, ms",
                        "commit_ms",
                        "until durable, ms",
                        "drop_pct",
                        "slower meanwhile, %",
                        "waited",
                        "waited")
                .paragraph(
                        "Unaligned barriers exist in a model only, which simulates an operator with several inputs, 32 runs of 256"
                                + " events queued at each, on a clock of its own: here barriers enter behind the merge, and there is"
                                + " nothing to align. With a slow input an aligned barrier waits for %s ms of queued work at 1 us an"
                                + " event and for %s ms at 100 us (reckoned: 8 and 800, the work of one queue; the operator also"
                                + " works on the others). An unaligned one waits for none and puts up to %s MB into the checkpoint"
                                + " (reckoned: 3.3). Over all checkpoints, each followed by a crash, %.0f events were lost or doubled"
                                + " (%s). The longest of each setting:",
                        aligned.texts("wait_ms").get(0),
                        aligned.texts("wait_ms").get(1),
                        Figures.decimal(
                                unaligned.numbers("queued_mb").stream()
                                        .mapToDouble(Double::doubleValue)
                                        .max()
                                        .orElseThrow(),
                                1),
                        wrong,
                        Prediction.verdict(wrong == 0))
                .table(
                        model,
                        "barriers",
                        "barriers (model)",
                        "event_us",
                        "us/event",
                        "inputs",
                        "inputs",
                        "checkpoints",
                        "checkpoints",
                        "wait_ms",
                        "until complete, ms",
                        "blocked_ms",
                        "an input blocked, ms",
                        "queued_events",
                        "queued events in it",
                        "queued_mb",
                        "MB",
                        "lost",
                        "lost",
                        "doubled",
                        "doubled")
                .figure("Pause of a lane at a barrier", "E13-pauses.png")
                .lines();
    }

    private static double sum(Table table, String column) {
        return table.numbers(column).stream().mapToDouble(Double::doubleValue).sum();
    }
}
