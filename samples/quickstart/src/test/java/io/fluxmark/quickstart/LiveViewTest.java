package io.fluxmark.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.fluxmark.quickstart.plain.Flight;
import io.fluxmark.quickstart.plain.FlightsFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;

class LiveViewTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    @TempDir
    private Path directory;

    @Test
    void thePastedLinesShowTheOldValueTakenBackAndTheNewOne() throws Exception {
        assumeThat(run("command -v curl")).isNotEmpty();
        List<Flight> flights = FlightsFile.bundled();
        DemoSettings settings = DemoSettings.defaults().data(directory);
        try (FlightService service = FlightService.open(DataDirectory.open(settings));
                LiveView view = new LiveView(flights, settings, service)) {
            List<String> curls = view.start().stream()
                    .filter(line -> line.startsWith("curl "))
                    .toList();
            assertThat(curls).hasSize(2);
            assertThat(kinds(curls.get(1))).containsExactly("ON_TIME");

            assertThat(run(curls.get(0))).contains("\"duplicate\":false");

            List<String> kinds = Flux.interval(Duration.ofMillis(200))
                    .concatMap(tick -> Flux.defer(() -> Flux.just(kinds(curls.get(1)))))
                    .filter(seen -> seen.size() > 1)
                    .blockFirst(TIMEOUT);
            assertThat(kinds).containsExactly("ON_TIME", "RETRACT", "LATE");
        }
    }

    @Test
    void withoutLatenessThereIsNothingToCorrect() {
        DemoSettings settings = DemoSettings.defaults().lateness(Duration.ZERO);

        assertThat(LateFlight.after(
                        FlightsFile.bundled(), new io.fluxmark.quickstart.plain.PlainPartitions(4), settings))
                .isNull();
    }

    private static List<String> kinds(String line) {
        return Stream.of(run(line).split("\n"))
                .filter(row -> row.contains("\"kind\""))
                .map(row -> row.replaceAll(".*\"kind\":\"([A-Z_]+)\".*", "$1"))
                .toList();
    }

    private static String run(String line) {
        try {
            Process process = new ProcessBuilder("bash", "-c", line)
                    .redirectErrorStream(true)
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            process.waitFor(60, TimeUnit.SECONDS);
            return output.strip();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(line, e);
        }
    }
}
