package io.fluxmark.experiments.retraction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.fluxmark.experiments.measure.Arrival;
import io.fluxmark.experiments.measure.Playback;
import io.fluxmark.experiments.measure.ReportedFigures;
import io.fluxmark.experiments.measure.Scale;
import io.fluxmark.experiments.measure.Table;
import io.fluxmark.windows.Accumulation;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RetractionsTest {

    private static final int MINUTES = 10;

    @TempDir
    private Path directory;

    @Test
    void theFormulaGivesTheFiguresOfTheNotebook() {
        assertThat(new Corrections(10, false, 0.05).formula()).isEqualTo(0.439, within(0.001));
        assertThat(new Corrections(10, true, 0.05).formula()).isEqualTo(0.49, within(0.005));
        assertThat(new Corrections(100, false, 0.05).formula()).isEqualTo(4.8, within(0.05));
    }

    @Test
    void oneLateEventOfThreeCountsTheOtherTwoTwiceWithoutRetractions() {
        List<Arrival> arrivals = List.of(
                arrival(1_000, 1_000),
                arrival(2_000, 2_000),
                arrival(600_000, 600_000), // ten minutes on: the first total is out
                arrival(3_000, 610_000),
                arrival(1_000_000, 1_000_000));

        ChainedRun.Totals with = ChainedRun.of(arrivals, MINUTES, Accumulation.RETRACT);
        assertThat(with.total()).isEqualTo(3);
        assertThat(with.differences()).isZero();
        assertThat(with.checks()).isEqualTo(1);
        assertThat(with.corrections()).isEqualTo(2);

        ChainedRun.Totals without = ChainedRun.of(arrivals, MINUTES, Accumulation.ACCUMULATE);
        assertThat(without.total()).isEqualTo(5);
        assertThat(without.differences()).isEqualTo(1);
        assertThat(without.corrections()).isEqualTo(1);
    }

    @Test
    void whatCanNotSubtractIsRefused() {
        Table refusals = Refusals.measure();

        assertThat(refusals.where("first_stage", "retracts").texts("second_stage"))
                .containsExactly(
                        "a maximum", "sessions", "a sum that allows less lateness than the first stage", "a sum");
        assertThat(refusals.texts("refused")).containsExactly("yes", "yes", "yes", "no", "no");
    }

    @Test
    void aQuickRunWritesWhatItReports() throws Exception {
        List<String> text =
                new Retractions().measure(directory, Scale.QUICK, new PrintStream(OutputStream.nullOutputStream()));

        ReportedFigures.hold(text, directory);
        ReportedFigures.showsState(directory.resolve("E14-state.csv"));
        Table totals = Table.read(directory.resolve("E14-totals.csv"));
        assertThat(totals.texts("total_with_retractions")).isEqualTo(totals.texts("events"));
        assertThat(totals.texts("differences_with_retractions")).containsOnly("0");
        assertThat(String.join(" ", text))
                .contains("the total is " + totals.texts("excess_percent").get(0) + " % too high (confirmed)")
                .contains("with them it was wrong after 0 of the ");
    }

    private static Arrival arrival(long event, long arrival) {
        return new Arrival("k", Playback.START + event, Playback.START + arrival);
    }
}
