package io.fluxmark.experiments.logcost;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.benchmarks.log.Level;
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

class LogCostTest {

    @TempDir
    private Path directory;

    @Test
    void aQuickRunWritesWhatItReportsAndLeavesNoLog() throws Exception {
        List<String> text =
                new LogCost().measure(directory, Scale.QUICK, new PrintStream(OutputStream.nullOutputStream()));

        ReportedFigures.hold(text, directory);
        Table appends = Table.read(directory.resolve("E2-append.csv"));
        assertThat(appends.rows()).hasSize(Level.values().length * LogCost.RUNS.size() * LogCost.APPENDERS.size());
        assertThat(appends.numbers("records_per_s")).allMatch(rate -> rate > 0);
        assertThat(appends.numbers("p50_ms")).allMatch(millis -> millis > 0);
        assertThat(String.join(" ", text))
                .containsPattern("appends [0-9.]+ million records a second \\((confirmed|refuted [a-z]+)\\)");
        try (var files = Files.list(directory)) {
            assertThat(files.filter(Files::isDirectory)).isEmpty();
        }
    }
}
