package io.fluxmark.experiments.frontier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.fluxmark.experiments.measure.Arrival;
import io.fluxmark.experiments.measure.Playback;
import io.fluxmark.experiments.measure.ReportedFigures;
import io.fluxmark.experiments.measure.Scale;
import io.fluxmark.experiments.measure.Table;
import io.fluxmark.windows.Counter;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FrontierTest {

    private static final Duration TEN = Duration.ofSeconds(10);

    @TempDir
    private Path directory;

    @Test
    void theFormulaOfTheNotebookFollowsFromTheLaw() {
        LatenessLaw law = new LatenessLaw.Exponential(60_000);
        int[] delays = {0, 15, 30, 60, 90, 120, 180, 240, 300, 600};
        double[] notebook = {36.8, 50.8, 61.7, 76.7, 85.9, 91.4, 96.9, 98.8, 99.6, 99.997};

        for (int i = 0; i < delays.length; i++) {
            assertThat(100 * law.completeness(60_000, delays[i] * 1_000L)).isEqualTo(notebook[i], within(0.06));
        }
    }

    @Test
    void syntheticEventsAreEvenlySpacedAndComeInTheOrderOfTheirArrival() {
        SyntheticArrivals arrivals = SyntheticArrivals.of(new LatenessLaw.Exponential(5_000), 60_000, 100, 1);
        List<Arrival> all = new ArrayList<>();
        arrivals.forEach(all::add);

        assertThat(all).hasSize(6_000).isSortedAccordingTo(Comparator.comparingLong(Arrival::arrivalMillis));
        assertThat(all.stream().map(Arrival::eventMillis).sorted().toList())
                .startsWith(Playback.START, Playback.START + 10)
                .doesNotHaveDuplicates();
        assertThat(all).allMatch(arrival -> arrival.arrivalMillis() >= arrival.eventMillis());
    }

    @Test
    void aWindowIsAsLateAsTheArrivalThatFiredItAndCountsWhatHadComeByThen() {
        Input input = new Input(
                "by hand",
                List.of(
                        new Arrival("k", 1_000, 1_500),
                        new Arrival("k", 12_000, 12_100),
                        new Arrival("k", 2_000, 13_000), // within the delay of 5 s: in time
                        new Arrival("k", 15_000, 15_700), // fires [0, 10 s) 5.7 s after its end
                        new Arrival("k", 3_000, 18_000), // late
                        new Arrival("k", 60_000, 60_000)),
                0,
                20_000);

        Outcome dropped = FrontierRun.of(input, TEN, Duration.ofSeconds(5), LatePolicy.DROP);
        assertThat(dropped.onTime()).isEqualTo(4);
        assertThat(dropped.latencySeconds(0.5)).isEqualTo(5.7);
        assertThat(dropped.latencySeconds(1)).isEqualTo(40);
        assertThat(dropped.byAge().counted()).isEqualTo(4);
        assertThat(dropped.counters().get(Counter.DROPPED)).isEqualTo(1);

        Outcome corrected =
                FrontierRun.of(input, TEN, Duration.ofSeconds(5), LatePolicy.refire(Duration.ofSeconds(10)));
        assertThat(corrected.onTime()).isEqualTo(4);
        assertThat(corrected.corrections()).isEqualTo(1);
        assertThat(corrected.byAge().counted(5)).isZero();
        assertThat(corrected.byAge().counted(6)).isEqualTo(2);
        assertThat(corrected.byAge().counted(8)).isEqualTo(3);
        assertThat(corrected.byAge().counted()).isEqualTo(5);
        assertThat(corrected.byAge().lastChangeSeconds()).isEqualTo(40);
    }

    @Test
    void aSpanThatOnlyTheEndOfTheInputFiresIsNotJudged() {
        Input input = new Input("short", List.of(new Arrival("k", 1_000, 1_500)), 0, 10_000);

        assertThatThrownBy(() -> FrontierRun.of(input, TEN, Duration.ZERO, LatePolicy.DROP))
                .hasMessageContaining("the pipeline has failed")
                .hasRootCauseMessage(
                        "[1970-01-01T00:00:00Z, 1970-01-01T00:00:10Z) of input short fires only at the end: judge"
                                + " a shorter span or give more input");
    }

    @Test
    void whatIsDroppedGoesAsideOrCorrectsAndThenNothingIsMissing() {
        Subject subject = Subjects.exponential(Scale.QUICK);
        long events = subject.input().judgedEvents();

        Outcome drop = FrontierRun.of(subject.input(), subject.size(), subject.early(), LatePolicy.DROP);
        Outcome side = FrontierRun.of(subject.input(), subject.size(), subject.early(), LatePolicy.SIDE);
        Outcome refire =
                FrontierRun.of(subject.input(), subject.size(), subject.early(), LatePolicy.refire(subject.lateness()));

        assertThat(events - drop.onTime()).isPositive().isEqualTo(side.side()).isEqualTo(refire.corrections());
        assertThat(refire.byAge().counted()).isEqualTo(events);
        assertThat(refire.byAge().lastChangeSeconds())
                .isLessThanOrEqualTo(
                        Math.toIntExact(subject.early().plus(subject.lateness()).toSeconds()));
        assertThat(refire.state().most()).isGreaterThan(drop.state().most());
    }

    @Test
    void aQuickRunWritesWhatItReports() throws Exception {
        List<String> text =
                new Frontier().measure(directory, Scale.QUICK, new PrintStream(OutputStream.nullOutputStream()));

        ReportedFigures.hold(text, directory);
        ReportedFigures.showsState(directory.resolve("E3-state.csv"));
        Table overview = Table.read(directory.resolve("E3-frontier.csv"));
        for (String input : List.of("exponential", "bimodal", "flights")) {
            List<String> complete = overview.texts(input + "_percent").stream()
                    .filter(cell -> !cell.isEmpty())
                    .toList();
            assertThat(complete).hasSizeGreaterThanOrEqualTo(9);
            assertThat(complete.stream().map(Double::valueOf)).isSorted();
        }
        Table prices = Table.read(directory.resolve("E3-price.csv"));
        assertThat(String.join(" ", text))
                .contains(prices.texts("latency_p50_s").get(0) + " s of emission latency (confirmed)")
                .contains(" by " + String.format(Locale.ROOT, "%.3f", FrontierText.gainInDeadZone(overview))
                        + " percentage points");
        assertThat(Table.read(directory.resolve("E3-policies.csv"))
                        .where("policy", "re-fire")
                        .texts("in_the_end_percent"))
                .containsOnly("100.000");
    }
}
