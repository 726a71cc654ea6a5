package io.fluxmark.experiments.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.experiments.measure.ReportedFigures;
import io.fluxmark.experiments.measure.Scale;
import io.fluxmark.experiments.measure.Table;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecoveriesTest {

    @TempDir
    private Path directory;

    @Test
    void aQuickRunReadsAgainWhatItWasKilledForAndReportsWhatItWrites() throws Exception {
        List<String> text =
                new Recoveries().measure(directory, Scale.QUICK, new PrintStream(OutputStream.nullOutputStream()));

        ReportedFigures.hold(text, directory);
        Table recoveries = Table.read(directory.resolve("E6-recoveries.csv"));
        assertThat(recoveries.where("series", Recoveries.REPLAY).numbers("replayed"))
                .containsExactly(0.0, 20_000.0, 60_000.0);
        assertThat(recoveries.where("series", Recoveries.UNTOUCHED).numbers("store_mb"))
                .allSatisfy(megabytes -> assertThat(megabytes).isGreaterThan(1));
        assertThat(recoveries.numbers("total_ms")).allMatch(millis -> millis > 0);
        assertThat(String.join(" ", text))
                .containsPattern("range 2 to 6: (confirmed|refuted (up|down)wards)")
                .containsPattern("correlation -?[0-9.]+ \\(at least 0.98: (confirmed|refuted)\\)")
                .containsPattern("at most 0.5 s: (confirmed|refuted)");
        try (var files = Files.list(directory)) {
            assertThat(files.filter(Files::isDirectory)).isEmpty();
        }
    }

    /** The extremes and the middle of three rounds, and nothing of the other cases. */
    @Test
    void aSummaryIsOfTheRoundsOfOneCase() {
        Table rounds =
                new Table("series", "round", "keys", "untouched_mb", "replayed", "open_ms", "total_ms", "store_mb");
        double[] totals = {30, 10, 20};
        for (int round = 1; round <= totals.length; round++) {
            rounds.row(Recoveries.REPLAY, round, 10, 0, 100, 1.0, totals[round - 1], 5.0);
            rounds.row(Recoveries.REPLAY, round, 10, 0, 200, 2.0, 10 * totals[round - 1], 5.0);
        }

        Table summary = RecoveryText.summary(rounds);

        assertThat(summary.numbers("replayed")).containsExactly(100.0, 200.0);
        assertThat(summary.numbers("total_ms")).containsExactly(20.0, 200.0);
        assertThat(summary.numbers("fastest_ms")).containsExactly(10.0, 100.0);
        assertThat(summary.numbers("slowest_ms")).containsExactly(30.0, 300.0);
    }
}
