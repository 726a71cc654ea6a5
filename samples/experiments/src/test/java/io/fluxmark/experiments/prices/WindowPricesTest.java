package io.fluxmark.experiments.prices;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.experiments.measure.ReportedFigures;
import io.fluxmark.experiments.measure.Scale;
import io.fluxmark.experiments.measure.Table;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WindowPricesTest {

    @TempDir
    private Path directory;

    /** Whether or not they share panes, windows say the same: only then is there a price to compare. */
    @Test
    void sharedPanesAndAStateForEachWindowGiveTheSame() {
        assertThat(PricedWindows.SLIDING.run(50_000)).isEqualTo(PricedWindows.SLIDING_STATES.run(50_000));
        assertThat(PricedWindows.LONG.run(20_000)).isEqualTo(PricedWindows.LONG_STATES.run(20_000));
    }

    @Test
    void aQuickRunWritesWhatItReports() throws Exception {
        List<String> text =
                new WindowPrices().measure(directory, Scale.QUICK, new PrintStream(OutputStream.nullOutputStream()));

        ReportedFigures.hold(text, directory);
        Table prices = Table.read(directory.resolve("E7-prices.csv"));
        assertThat(prices.rows()).hasSize(PricedWindows.values().length);
        assertThat(prices.numbers("median_ns")).allMatch(nanos -> nanos > 0);
        assertThat(String.join(" ", text)).containsPattern("are [0-9.]+ times as fast as one state for each window");
    }
}
