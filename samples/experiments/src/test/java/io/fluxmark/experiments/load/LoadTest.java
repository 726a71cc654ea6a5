package io.fluxmark.experiments.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.experiments.measure.ReportedFigures;
import io.fluxmark.experiments.measure.Scale;
import io.fluxmark.experiments.measure.Schedule;
import io.fluxmark.experiments.measure.Table;
import io.fluxmark.windows.Checkpoint;
import io.fluxmark.windows.LaneCheckpoint;
import io.fluxmark.windows.SourcePosition;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.test.scheduler.VirtualTimeScheduler;

class LoadTest {

    private static final double NANOS_PER_MILLI = 1e6;

    @TempDir
    private Path directory;

    @Test
    void aQuickRunWritesWhatItReports() throws Exception {
        List<String> text =
                new Load().measure(directory, Scale.QUICK, new PrintStream(OutputStream.nullOutputStream()));

        ReportedFigures.hold(text, directory);
        Table loads = Table.read(directory.resolve("E11-loads.csv"));
        System.out.println("E11 quick, loads: " + loads.rows());
        assertThat(loads.numbers("load_percent")).containsExactly(50.0, 80.0, 100.0, 120.0);
        assertThat(loads.numbers("per_second")).isSorted().allMatch(rate -> rate > 0);
        assertThat(Table.read(directory.resolve("E11-lag.csv")).numbers("lag_ms"))
                .hasSizeGreaterThanOrEqualTo(4 * 12)
                .allMatch(lag -> lag >= 0);
        try (var files = Files.list(directory)) {
            assertThat(files.filter(Files::isDirectory)).isEmpty();
        }
    }

    /** Whoever is late pays: an event that was worked on at once is as late as it came. */
    @Test
    void latenciesCountFromWhenAnEventWasDue() {
        VirtualTimeScheduler clock = VirtualTimeScheduler.create();
        Schedule schedule = new Schedule(0, 64_000, 10);
        Latencies latencies = new Latencies(schedule, clock, 0);
        clock.advanceTimeBy(Duration.ofMillis(250));

        for (long number = 0; number < 128; number++) {
            latencies.see(schedule.event(number));
        }
        clock.advanceTimeBy(Duration.ofMillis(750));
        latencies.see(new Checkpoint(
                "job",
                1,
                0,
                List.of(new LaneCheckpoint(0, 1, List.of(new SourcePosition("events", 0, 128)), Map.of(), false))));

        assertThat(latencies.next()).isEqualTo(64);
        assertThat(latencies.worked().getTotalCount()).isEqualTo(2);
        assertThat(Math.round(latencies.worked().getMaxValue() / NANOS_PER_MILLI))
                .isEqualTo(250);
        assertThat(Math.round(latencies.worked().getMinValue() / NANOS_PER_MILLI))
                .isEqualTo(249);
        assertThat(latencies.durable().getTotalCount()).isEqualTo(2);
        assertThat(Math.round(latencies.durable().getMaxValue() / NANOS_PER_MILLI))
                .isBetween(999L, 1_000L);
    }
}
