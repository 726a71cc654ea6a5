package io.fluxmark.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fluxmark.experiments.measure.Scale;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExperimentsTest {

    @TempDir
    private Path directory;

    @Test
    void namesComeInTheOrderOfTheirNumbers() {
        assertThat(Experiments.names()).isSortedAccordingTo((a, b) -> Integer.compare(number(a), number(b)));
    }

    @Test
    void aNameThatIsNotMeasuredIsNamedWithThoseThatAre() {
        assertThatThrownBy(() -> Experiments.run("E99", directory, null, Scale.QUICK, System.out))
                .hasMessageContaining("'E99' is no measured experiment")
                .hasMessageContaining("E14");
    }

    @Test
    void aQuickRunFillsNoReport() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();

        Experiments.run(
                "E14", directory.resolve("new"), null, Scale.QUICK, new PrintStream(out, true, StandardCharsets.UTF_8));

        assertThat(directory.resolve("new").resolve("E14-totals.csv")).isRegularFile();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("| n |")
                .contains("Figures of a quick run are rough: no report is filled with them.");
    }

    private static int number(String name) {
        return Integer.parseInt(name.substring(1));
    }
}
