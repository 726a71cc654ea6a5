package io.fluxmark.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.quickstart.plain.Flight;
import io.fluxmark.quickstart.plain.FlightsFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The README's line that counts without Fluxmark, run as it stands there. */
class ReadmeLineTest {

    @Test
    void theAwkLineGivesTheTrueTotalsOfTheFiveBusiestAirports() throws Exception {
        Path root = repositoryRoot();
        List<String> lines = Files.readAllLines(root.resolve("README.md")).stream()
                .filter(line -> line.startsWith("zcat ") && line.contains("awk "))
                .toList();
        assertThat(lines).as("zcat ... | awk lines in README.md").hasSize(1);

        assertThat(run(root, lines.get(0))).isEqualTo(trueTotals());
    }

    private static List<String> trueTotals() {
        Map<String, Long> totals =
                FlightsFile.bundled().stream().collect(Collectors.groupingBy(Flight::origin, Collectors.counting()));
        return totals.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .limit(5)
                .map(total -> total.getValue() + " " + total.getKey())
                .toList();
    }

    private static List<String> run(Path directory, String line) throws IOException, InterruptedException {
        Process process = new ProcessBuilder("bash", "-c", line)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return output.lines().map(String::strip).toList();
    }

    private static Path repositoryRoot() {
        Path directory = Path.of("").toAbsolutePath();
        while (!Files.exists(directory.resolve("README.md")) || !Files.exists(directory.resolve(".mvn"))) {
            directory = java.util.Objects.requireNonNull(directory.getParent(), "no README.md above the module");
        }
        return directory;
    }
}
