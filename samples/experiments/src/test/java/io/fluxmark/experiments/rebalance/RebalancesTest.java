package io.fluxmark.experiments.rebalance;

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

class RebalancesTest {

    @TempDir
    private Path directory;

    @Test
    void aQuickRunWritesWhatItReportsAndNothingIsHandledTwiceOrNotAtAll() throws Exception {
        List<String> text =
                new Rebalances().measure(directory, Scale.QUICK, new PrintStream(OutputStream.nullOutputStream()));

        ReportedFigures.hold(text, directory);
        Table rounds = Table.read(directory.resolve("E8-rebalances.csv"));
        assertThat(rounds.rows()).hasSize(4);
        assertThat(rounds.numbers("duplicates")).containsOnly(0.0);
        assertThat(rounds.numbers("gaps")).containsOnly(0.0);
        try (var files = Files.list(directory)) {
            assertThat(files.filter(Files::isDirectory)).isEmpty();
        }
    }
}
