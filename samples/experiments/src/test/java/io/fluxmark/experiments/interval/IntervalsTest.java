package io.fluxmark.experiments.interval;

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

class IntervalsTest {

    @TempDir
    private Path directory;

    @Test
    void aQuickRunKillsAndReportsWhatItWrites() throws Exception {
        List<String> text =
                new Intervals().measure(directory, Scale.QUICK, new PrintStream(OutputStream.nullOutputStream()));

        ReportedFigures.hold(text, directory);
        Table runs = Table.read(directory.resolve("E5-runs.csv"));
        assertThat(runs.numbers("interval_ms")).containsExactly(10.0, 20.0, 40.0, 0.0);
        assertThat(runs.numbers("events_per_s")).allMatch(rate -> rate > 0);
        assertThat(runs.where("interval_ms", 10).number("cost_ms"))
                .as("what the job counts for a checkpoint")
                .isPositive();
        Table kills = Table.read(directory.resolve("E5-kills.csv"));
        assertThat(kills.rows()).hasSize(2);
        assertThat(kills.numbers("lost_s")).allMatch(seconds -> seconds > 0);
        assertThat(String.join(" ", text))
                .containsPattern("range 0.5 to 2.0: (confirmed|refuted|inside|outside)")
                .containsPattern("times the optimum \\(0.5 to 2: (confirmed|refuted (up|down)wards)\\)");
        try (var files = Files.list(directory)) {
            assertThat(files.filter(Files::isDirectory)).isEmpty();
        }
    }
}
