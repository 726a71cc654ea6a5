package io.fluxmark.experiments.retraction;

import io.fluxmark.experiments.measure.Prediction;
import io.fluxmark.experiments.measure.Section;
import io.fluxmark.experiments.measure.Table;
import java.util.List;

/** What the report says about retractions, around the measured tables. */
final class RetractionsText {

    /** By how much the total is too high without retractions, %, in the first setting. */
    private static final Prediction EXCESS = new Prediction(38, 50);

    private static final Prediction OFF_FORMULA = new Prediction(-5, 5);

    private RetractionsText() {}

    static List<String> of(Table totals, Table refusals) {
        Section section = new Section("E14");
        measured(section, totals);
        section.paragraph(
                "Stage 1 counts per key and minute with an allowed lateness of 10 min; stage 2 adds these counts up"
                        + " per ten minutes. Late events come one to five minutes after their minute. With n events of"
                        + " which a share q is late, the formula for the excess is (n - 1)(q - q²/2), or n (q - q²/2)"
                        + " where n is the mean of a Poisson law. Rows are what stage 2 is given for each minute and key;"
                        + " a difference is an input event after which a total in force was not the number of events that"
                        + " had come in for it.");
        section.table(
                totals,
                "events_per_minute",
                "n",
                "distribution",
                "n is",
                "late_percent",
                "late, %",
                "events",
                "events",
                "total_with_retractions",
                "total with",
                Retractions.DIFFERENCES,
                "differences",
                "total_without",
                "total without",
                Retractions.EXCESS,
                "excess, %",
                "formula_percent",
                "formula, %",
                "rows_with",
                "rows with",
                "rows_without",
                "rows without");
        section.table(
                refusals,
                "second_stage",
                "second stage",
                "first_stage",
                "first stage",
                Refusals.REFUSED,
                "refused at assembly");
        section.paragraph(
                "**For a user.** Without retractions the error is not the late share but about that share times the"
                        + " size of a window. Whatever adds results up needs `Accumulation.RETRACT`, the default;"
                        + " `ACCUMULATE` is for a receiver that overwrites by key and window. Being right costs one row"
                        + " more for each late event. What can't subtract is refused before anything runs; after"
                        + " `ACCUMULATE` nothing is refused, since the stage behind can't know that a result replaces"
                        + " another.");
        section.figure("Excess by events per minute and key", "E14-excess.png")
                .figure("Error over time", "E14-error.png")
                .figure("Entries held", "E14-state.png");
        return section.lines();
    }

    private static void measured(Section section, Table totals) {
        double excess = totals.numbers(Retractions.EXCESS).get(0);
        double differences = sum(totals, Retractions.DIFFERENCES);
        double off = totals.numbers("off_by_percent").stream()
                .mapToDouble(Math::abs)
                .max()
                .orElseThrow();
        section.paragraph(
                "Measured: **without retractions the total is %.2f %% too high (%s); with them it was wrong after %,d"
                        + " of the %,d input events that change a total in force (%s).** In all settings the excess is"
                        + " within %.1f %% of the formula (%s).",
                excess,
                EXCESS.verdict(excess),
                (long) differences,
                (long) sum(totals, "comparisons"),
                Prediction.verdict(differences == 0),
                off,
                OFF_FORMULA.verdict(off));
    }

    private static double sum(Table totals, String column) {
        return totals.numbers(column).stream().mapToDouble(Double::doubleValue).sum();
    }
}
