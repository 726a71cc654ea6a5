package io.fluxmark.experiments.recovery;

import io.fluxmark.experiments.measure.Figures;
import io.fluxmark.experiments.measure.LinearFit;
import io.fluxmark.experiments.measure.Prediction;
import io.fluxmark.experiments.measure.Section;
import io.fluxmark.experiments.measure.Table;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What the report says about recovery, around the measured tables. */
final class RecoveryText {

    /** To recover with the most records to replay, seconds. */
    private static final Prediction SECONDS = new Prediction(2, 6);

    private static final double LEAST_CORRELATION = 0.98;

    /** How much longer it may take beside the most untouched state than beside the least, seconds. */
    private static final double MOST_GROWTH = 0.5;

    private static final double MILLION = 1e6;
    private static final double MILLIS = 1_000;

    private RecoveryText() {}

    /** Medians over the rounds. */
    static Table summary(Table rounds) {
        Table summary = new Table(
                "series",
                "keys",
                "untouched_mb",
                "replayed",
                "open_ms",
                "total_ms",
                "fastest_ms",
                "slowest_ms",
                "store_mb");
        Set<List<String>> cases = new LinkedHashSet<>();
        for (int i = 0; i < rounds.rows().size(); i++) {
            cases.add(List.of(
                    rounds.texts("series").get(i),
                    rounds.texts("keys").get(i),
                    rounds.texts("untouched_mb").get(i),
                    rounds.texts("replayed").get(i)));
        }
        for (List<String> one : cases) {
            Table rows = rounds.where("series", one.get(0))
                    .where("keys", one.get(1))
                    .where("untouched_mb", one.get(2))
                    .where("replayed", one.get(3));
            List<Double> totals = rows.numbers("total_ms").stream().sorted().toList();
            summary.row(
                    one.get(0),
                    one.get(1),
                    one.get(2),
                    one.get(3),
                    Figures.decimal(Figures.median(rows.numbers("open_ms")), 1),
                    Figures.decimal(Figures.median(totals), 1),
                    Figures.decimal(totals.get(0), 1),
                    Figures.decimal(totals.get(totals.size() - 1), 1),
                    Figures.decimal(Figures.median(rows.numbers("store_mb")), 1));
        }
        return summary;
    }

    static List<String> of(Table rounds, Table summary) {
        Table replays = rounds.where("series", Recoveries.REPLAY);
        LinearFit line = LinearFit.of(
                replays.numbers("replayed").stream().map(n -> n / MILLION).toList(),
                replays.numbers("total_ms").stream().map(n -> n / MILLIS).toList());
        Table longest = summary.where("series", Recoveries.REPLAY);
        int last = longest.rows().size() - 1;
        double most = longest.numbers("replayed").get(last) / MILLION;
        double seconds = longest.numbers("total_ms").get(last) / MILLIS;
        double growth = difference(summary, Recoveries.UNTOUCHED);
        double touching = difference(summary, Recoveries.TOUCHED);
        List<Double> untouched = summary.where("series", Recoveries.UNTOUCHED).numbers("untouched_mb");
        List<Double> keys = summary.where("series", Recoveries.TOUCHED).numbers("keys");
        return new Section("E6")
                .paragraph(
                        "Measured: **%.2f s to recover with %s million records to replay (predicted 3.4 s for 10 million, range 2 to"
                                + " 6: %s).** Against the length of the replay the time is a line: correlation %.4f (at least"
                                + " 0.98: %s), %.2f s and %.3f s for each million records. From %.0f MB to %,.0f MB of untouched"
                                + " state it grows by %.2f s (at most 0.5 s: %s).",
                        seconds,
                        Figures.decimal(most, most < 1 ? 2 : 0),
                        SECONDS.verdict(seconds),
                        line.correlation(),
                        Prediction.verdict(line.correlation() >= LEAST_CORRELATION),
                        line.intercept(),
                        line.slope(),
                        untouched.get(0),
                        untouched.get(untouched.size() - 1),
                        growth,
                        Prediction.verdict(growth <= MOST_GROWTH))
                .paragraph(
                        "A job in a JVM of its own reads so many records without a commit and is killed with SIGKILL. From then on"
                                + " a running JVM opens log and store, takes the lane over and reads again, with the default commit"
                                + " every second, until the checkpoint at the old position is durable. Windows of 10 s over 10,000"
                                + " keys, whose rows are written too; files in the page cache. Behind the crashes of each round the"
                                + " table of results is that of a hand-written loop. Medians of the rounds, and the extremes.")
                .paragraph(
                        "The last two rows are of windows that none of the replay fires: reading again for %,.0f keys instead"
                                + " of %,.0f takes %.2f s longer (reckoned: 2.8 s for a million keys).",
                        keys.get(keys.size() - 1), keys.get(0), touching)
                .table(
                        summary,
                        "series",
                        "what varies",
                        "keys",
                        "keys",
                        "untouched_mb",
                        "untouched, MB",
                        "replayed",
                        "records to replay",
                        "open_ms",
                        "open, ms",
                        "total_ms",
                        "in all, ms",
                        "fastest_ms",
                        "fastest",
                        "slowest_ms",
                        "slowest",
                        "store_mb",
                        "store file, MB")
                .figure("Time to recover by records to replay", "E6-replay.png")
                .lines();
    }

    /** Seconds between the first and the last case of a series. */
    private static double difference(Table summary, String series) {
        List<Double> totals = summary.where("series", series).numbers("total_ms");
        return (totals.get(totals.size() - 1) - totals.get(0)) / MILLIS;
    }
}
