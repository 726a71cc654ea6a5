package io.fluxmark.experiments.silence;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.experiments.measure.Playback;
import io.fluxmark.experiments.measure.ReportedFigures;
import io.fluxmark.experiments.measure.Scale;
import io.fluxmark.experiments.measure.Table;
import io.fluxmark.windows.Counter;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SilenceTest {

    private static final Script SCRIPT = new Script(5, 125_000, 600_000, false);

    @TempDir
    private Path directory;

    @Test
    void theLastPartitionIsSilentAndItsBacklogComesInAtOnce() {
        Script script = new Script(5, 125_000, 600_000, true);
        long[] late = new long[1];
        long[] before = new long[1];
        script.play(Script.PARTITIONS, (millis, reading) -> {
            if (reading.partition() == Script.SILENT && reading.eventMillis() < script.heardAgain()) {
                late[0] += millis == script.heardAgain() ? 1 : 0;
                before[0] += millis == reading.eventMillis() ? 1 : 0;
            }
        });

        assertThat(late[0]).isEqualTo(script.backlogEvents()).isEqualTo(2_999);
        assertThat(before[0]).isEqualTo(125 * 5);
    }

    @Test
    void delaysAreDifferencesOfFirings() {
        Delays delays = Delays.of(
                new TreeMap<>(Map.of(10L, 100L, 20L, 90L, 30L, 80L)), new TreeMap<>(Map.of(10L, 40L, 20L, 90L)));

        assertThat(delays.byEnd()).containsExactly(Map.entry(10L, 60L), Map.entry(20L, 0L));
        assertThat(delays.longest()).isEqualTo(60);
        assertThat(delays.later(59)).isEqualTo(1);
        assertThat(delays.firstLater(59)).isEqualTo(10);
        assertThat(delays.firstLater(60)).isEqualTo(-1);
    }

    @Test
    void idleExactlyAtTheTimeOutAndNeverWithoutOne() {
        long first = SCRIPT.lastHeard() - Math.floorMod(SCRIPT.lastHeard(), 10_000);
        long stuck = first + (SCRIPT.lastHeard() - first >= 5_000 ? 10_000 : 0);

        MergedRun.Outcome with = MergedRun.of(SCRIPT, Script.PARTITIONS, Duration.ofMinutes(1));
        assertThat(with.fired()).containsEntry(stuck, SCRIPT.lastHeard() + 60_000);

        MergedRun.Outcome without = MergedRun.of(SCRIPT, Script.PARTITIONS, null);
        assertThat(without.fired().get(stuck)).isGreaterThanOrEqualTo(SCRIPT.heardAgain());
        assertThat(without.counters().get(Counter.DROPPED)).isZero();
        assertThat(SCRIPT.lastHeard()).isBetween(Playback.START + 124_000, Playback.START + 125_000);
    }

    @Test
    void aQuickRunWritesWhatItReports() throws Exception {
        List<String> text =
                new Silence().measure(directory, Scale.QUICK, new PrintStream(OutputStream.nullOutputStream()));

        ReportedFigures.hold(text, directory);
        ReportedFigures.showsState(directory.resolve("E4-state.csv"));
        Table modes = Table.read(directory.resolve("E4-modes.csv"));
        assertThat(modes.where("mode", "a lane each").texts("late")).containsExactly("0");
        assertThat(modes.where("idle_after_s", "60").number("longest_delay_s")).isBetween(50.0, 60.0);
        assertThat(String.join(" ", text)).doesNotContain("refuted");
    }
}
