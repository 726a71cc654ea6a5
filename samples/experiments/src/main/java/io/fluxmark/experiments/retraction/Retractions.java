package io.fluxmark.experiments.retraction;

import io.fluxmark.experiments.measure.Arrival;
import io.fluxmark.experiments.measure.Experiment;
import io.fluxmark.experiments.measure.Figures;
import io.fluxmark.experiments.measure.Plots;
import io.fluxmark.experiments.measure.Scale;
import io.fluxmark.experiments.measure.Table;
import io.fluxmark.windows.Accumulation;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import org.knowm.xchart.XYChart;

/** E14: a total over corrected results, with and without retractions. */
public final class Retractions implements Experiment {

    static final String EXCESS = "excess_percent";
    static final String DIFFERENCES = "differences_with_retractions";

    private static final Corrections PREDICTED_SETTING = new Corrections(10, false, 0.05);
    private static final List<Corrections> SETTINGS = List.of(
            PREDICTED_SETTING,
            new Corrections(10, true, 0.05),
            new Corrections(10, false, 0.01),
            new Corrections(10, false, 0.20),
            new Corrections(2, false, 0.05),
            new Corrections(30, false, 0.05),
            new Corrections(100, false, 0.05));

    private static final int MINUTES = 120;
    private static final int QUICK_MINUTES = 20;

    /** Of all keys together, per minute. */
    private static final int EVENTS = 4_000;

    private static final int QUICK_EVENTS = 500;

    private final Table table = new Table(
            "events_per_minute",
            "distribution",
            "late_percent",
            "keys",
            "minutes",
            "events",
            "total_with_retractions",
            DIFFERENCES,
            "comparisons",
            "total_without",
            EXCESS,
            "formula_percent",
            "off_by_percent",
            "rows_with",
            "rows_without");
    private final Table state = new Table("minute", "entries", "excess_with", "excess_without");

    /** For the registry. */
    public Retractions() {}

    @Override
    public List<String> measure(Path directory, Scale scale, PrintStream out) throws IOException {
        for (Corrections setting : SETTINGS) {
            out.println("E14: " + setting);
            measure(setting, scale);
        }
        table.write(directory.resolve("E14-totals.csv"));
        state.write(directory.resolve("E14-state.csv"));
        Table refusals = Refusals.measure().write(directory.resolve("E14-refusals.csv"));
        plot(directory);
        return RetractionsText.of(table, refusals);
    }

    private void measure(Corrections setting, Scale scale) {
        int minutes = scale.of(MINUTES, QUICK_MINUTES);
        int keys = Math.max(2, scale.of(EVENTS, QUICK_EVENTS) / setting.events());
        List<Arrival> arrivals = CorrectedInput.of(setting, keys, minutes);
        ChainedRun.Totals with = ChainedRun.of(arrivals, minutes, Accumulation.RETRACT);
        ChainedRun.Totals without = ChainedRun.of(arrivals, minutes, Accumulation.ACCUMULATE);
        double excess = without.excessShare();
        double windows = (double) keys * minutes;
        table.row(
                setting.events(),
                setting.distribution(),
                Figures.decimal(100 * setting.late(), 0),
                keys,
                minutes,
                with.events(),
                with.total(),
                with.differences(),
                with.checks(),
                without.total(),
                Figures.percent(excess, 1, 2),
                Figures.percent(setting.formula(), 1, 2),
                Figures.percent(excess - setting.formula(), setting.formula(), 2),
                Figures.decimal(1 + with.corrections() / windows, 3),
                Figures.decimal(1 + without.corrections() / windows, 3));
        if (setting.equals(PREDICTED_SETTING)) {
            List<Double> moments = with.state().moments(60);
            for (int i = 0; i < moments.size(); i++) {
                state.row(
                        Figures.decimal(moments.get(i), 2),
                        with.state().entries().get(i).longValue(),
                        with.excess().entries().get(i).longValue(),
                        without.excess().entries().get(i).longValue());
            }
        }
    }

    private void plot(Path directory) throws IOException {
        XYChart totals = Plots.lines("Error of the sum of all totals in force", "minutes", "events too many");
        Plots.curve(totals, "without retractions", state.numbers("minute"), state.numbers("excess_without"));
        Plots.curve(totals, "with retractions", state.numbers("minute"), state.numbers("excess_with"));
        Plots.write(totals, directory.resolve("E14-error.png"));
        Table fivePercent = table.where("late_percent", 5).where("distribution", "fixed");
        XYChart excess = Plots.linesOverLog("Excess without retractions, 5 % late", "events per minute and key", "%");
        List<List<String>> rows = fivePercent.rows().stream()
                .sorted((a, b) -> Integer.compare(Integer.parseInt(a.get(0)), Integer.parseInt(b.get(0))))
                .toList();
        Table sorted = new Table(fivePercent.columns().toArray(String[]::new));
        rows.forEach(row -> sorted.row(row.toArray()));
        Plots.line(excess, "measured", sorted.numbers("events_per_minute"), sorted.numbers(EXCESS));
        Plots.curve(excess, "formula", sorted.numbers("events_per_minute"), sorted.numbers("formula_percent"));
        Plots.write(excess, directory.resolve("E14-excess.png"));
        XYChart held = Plots.lines("State: two stages, 10 events per key and minute", "minutes", "entries");
        Plots.curve(held, "entries", state.numbers("minute"), state.numbers("entries"));
        Plots.write(held, directory.resolve("E14-state.png"));
    }
}
