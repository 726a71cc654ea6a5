package io.fluxmark.experiments.barriers;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.experiments.measure.ReportedFigures;
import io.fluxmark.experiments.measure.Scale;
import io.fluxmark.experiments.measure.Table;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BarriersTest {

    @TempDir
    private Path directory;

    @Test
    void aQuickRunReportsWhatItWritesAndAStoppedLaneWaitsForItsCommit() throws Exception {
        List<String> text =
                new Barriers().measure(directory, Scale.QUICK, new PrintStream(OutputStream.nullOutputStream()));

        ReportedFigures.hold(text, directory);
        Table barriers = Table.read(directory.resolve("E13-barriers.csv"));
        assertThat(barriers.rows()).hasSize(3 * 2 * 2);
        assertThat(barriers.numbers("pause_ms")).allMatch(millis -> millis > 0);
        assertThat(barriers.where("mode", Barriers.STOP_THE_WORLD).numbers("waited"))
                .containsOnly(0.0);
        assertThat(String.join(" ", text))
                .containsPattern("range 15 to 80: (confirmed|refuted (up|down)wards)")
                .containsPattern("at most 15 ms: (confirmed|refuted)")
                .contains("0 events were lost or doubled (confirmed)");
        try (var files = Files.list(directory)) {
            assertThat(files.filter(Files::isDirectory)).isEmpty();
        }
    }

    @Test
    void betweenTwoBarriersAsManyKeysChangeAsSaid() {
        assertThat(keys(new Change("", 10_000, 500, true, 8_000), 3))
                .hasSize(500 + 1)
                .contains(0L, 5_000L, 5_499L);
        assertThat(keys(new Change("", 10_000, 500, false, 8_000), 3)).hasSizeBetween(450, 501);
        assertThat(keys(new Change("", 10_000, 500, false, 8_000), 3))
                .isNotEqualTo(keys(new Change("", 10_000, 500, false, 8_000), 4));
    }

    private static Set<Long> keys(Change change, int cycle) {
        Set<Long> keys = new HashSet<>();
        for (long i = 0; i < change.events(); i++) {
            keys.add(change.key(change.keys() + (long) cycle * change.events() + i));
        }
        return keys;
    }
}
