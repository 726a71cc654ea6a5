package io.fluxmark.experiments.sessions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.fluxmark.experiments.measure.ReportedFigures;
import io.fluxmark.experiments.measure.Scale;
import io.fluxmark.experiments.measure.Table;
import io.fluxmark.windows.Ceiling;
import io.fluxmark.windows.Counter;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SessionsTest {

    private static final OneShotKeys TEN_PER_SECOND = new OneShotKeys(10);

    @TempDir
    private Path directory;

    @Test
    void anEntryLivesForItsTimeToLiveAndTheDelay() {
        SessionRun.Outcome outcome = SessionRun.of(
                TEN_PER_SECOND, OneShotKeys.sessions().timeToLive(Duration.ofMinutes(1)), 3_000, 1_000, 0, 3_000);

        assertThat(outcome.most()).isEqualTo(651);
        assertThat(outcome.left()).isZero();
        assertThat(outcome.results() + 651).isBetween(3_000L, 3_001L);
        assertThat(outcome.counters().get(Counter.EXPIRED)).isEqualTo(3_000);
    }

    @Test
    void aCeilingIsNeverPassedAndCountsWhatItRefuses() {
        SessionRun.Outcome outcome = SessionRun.of(
                TEN_PER_SECOND,
                OneShotKeys.sessions().ceiling(new Ceiling(500, Ceiling.Policy.REFUSE)),
                2_000,
                1_000,
                0,
                2_000);

        assertThat(outcome.most()).isEqualTo(500);
        assertThat(outcome.counters().get(Counter.REFUSED)).isEqualTo(1_500);
        assertThat(outcome.left()).isZero();
    }

    @Test
    void aPlateauHasItsBoundsAndItsSlope() {
        List<Double> seconds = List.of(0.0, 60.0, 120.0, 180.0);
        List<Double> entries = List.of(1.0, 99.0, 100.0, 101.0);

        Plateau plateau = Plateau.from(60, seconds, entries);

        assertThat(plateau.low()).isEqualTo(99);
        assertThat(plateau.high()).isEqualTo(101);
        assertThat(plateau.percentPerMinute()).isEqualTo(1, within(1e-9));
    }

    @Test
    void aQuickRunWritesWhatItReports() throws Exception {
        List<String> text =
                new Sessions().measure(directory, Scale.QUICK, new PrintStream(OutputStream.nullOutputStream()));

        ReportedFigures.hold(text, directory);
        ReportedFigures.showsState(directory.resolve("E12-state.csv"));
        Table runs = Table.read(directory.resolve("E12-runs.csv"));
        assertThat(runs.texts("left")).containsOnly("0");
        assertThat(runs.where("run", run -> run.startsWith("ceiling")).texts("most_entries"))
                .containsOnly("10000");
        assertThat(String.join(" ", text))
                .contains("(confirmed) and grows by")
                .contains("before or after a restart: confirmed.")
                .contains("that came at it: confirmed.");
    }
}
