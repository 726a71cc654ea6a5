package io.fluxmark.benchmarks.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fluxmark.benchmarks.BenchCommand;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What is measured is the whole work; no assertion on time. */
class StateBenchTest {

    @TempDir
    Path directory;

    @Test
    void aWholeRunShowsEveryFigureAndLeavesNothing() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        StateBenchOptions options = new StateBenchOptions(30_000, 40_000, 0, 2, 1, 1);
        int exit = StateBenchCommand.run(options, directory, new PrintStream(bytes, true, StandardCharsets.UTF_8));
        String shown = bytes.toString(StandardCharsets.UTF_8);
        assertThat(exit).as(shown).isZero();
        assertThat(shown)
                .contains("30,000 keys, 40,000 updates with each choice, 2 lanes")
                .contains("uniform")
                .contains("90 % on 1 % of the keys")
                .contains("restart")
                .contains("The state holds every update once.");
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void aRunMayBeLimitedByTimeInsteadAndItsFiguresSurviveTheWayThroughText() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        StateFigures figures = StateBenchCommand.measure(
                new StateBenchOptions(5_000, 1_000, 1, 1, 1, 1),
                directory,
                new PrintStream(bytes, true, StandardCharsets.UTF_8));
        String shown = bytes.toString(StandardCharsets.UTF_8);
        assertThat(shown).contains("1 s of updates with each choice").contains("The state holds every update once.");
        assertThat(figures.equal()).isTrue();
        assertThat(figures.uniform()).isPositive();
        assertThat(StateFigures.isLine(figures.line())).isTrue();
        assertThat(StateFigures.parse(figures.line()).line()).isEqualTo(figures.line());
    }

    @Test
    void nineInTenUpdatesMeetTheHotSet() {
        SplittableRandom random = new SplittableRandom(3);
        long keys = 100_050;
        int hot = 0;
        for (int i = 0; i < 100_000; i++) {
            long key = KeyChoice.HOT_SET.key(i, keys, random);
            assertThat(key).isBetween(0L, keys - 1);
            hot += key % 100 == 0 ? 1 : 0;
        }
        assertThat(hot).isBetween(89_000, 91_500);
    }

    @Test
    void whatCannotBeMeasuredIsRefused() {
        assertThatThrownBy(() -> new StateBenchOptions(10, 4_000, 0, 1, 1, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("--keys is 10: use 1000 or more");
        assertThatThrownBy(() -> new StateBenchOptions(4_000, 4_000, 0, 65, 1, 1))
                .hasMessage("--lanes is 65: use 64 or fewer");
        StringWriter err = new StringWriter();
        int exit = new CommandLine(new BenchCommand())
                .setErr(new PrintWriter(err, true))
                .execute("state", "--dir", directory.resolve("none").toString());
        assertThat(exit).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err.toString()).contains("which is no directory");
    }
}
