package io.fluxmark.experiments.backpressure;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.experiments.measure.ReportedFigures;
import io.fluxmark.experiments.measure.Scale;
import io.fluxmark.experiments.measure.Table;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.test.scheduler.VirtualTimeScheduler;

class BackpressureTest {

    @TempDir
    private Path directory;

    @Test
    void aQuickRunWritesWhatItReportsAndAllThatIsShedIsCounted() throws Exception {
        List<String> text =
                new Backpressure().measure(directory, Scale.QUICK, new PrintStream(OutputStream.nullOutputStream()));

        ReportedFigures.hold(text, directory);
        Table heap = Table.read(directory.resolve("E10-heap.csv"));
        System.out.println("E10 quick, minutes: " + heap.rows());
        assertThat(heap.rows()).hasSize(Backpressure.MINUTES);
        Table last = heap.where("minute", Backpressure.MINUTES);
        assertThat(last.number("consumed")).isPositive();
        assertThat(last.number("backlog")).isGreaterThan(last.number("consumed"));
        Table contrast = Table.read(directory.resolve("E10-contrast.csv"));
        assertThat(contrast.where("what", "unbounded queue").texts("end").get(0))
                .startsWith("out of memory");
        Table shed = contrast.where("what", "shedding");
        assertThat(shed.number("taken") + shed.number("dropped")).isEqualTo(shed.number("produced"));
        assertThat(shed.number("dropped")).isGreaterThan(0.9 * shed.number("produced"));
        assertThat(String.join(" ", text)).contains("accounted for: confirmed");
        try (var files = Files.list(directory)) {
            assertThat(files.filter(Files::isDirectory)).isEmpty();
        }
    }

    @Test
    void nobodyIsLetThroughBeforeTheClockSaysSo() throws Exception {
        VirtualTimeScheduler clock = VirtualTimeScheduler.create();
        try (Pace pace = new Pace(100, Duration.ofMillis(10), clock)) {
            CompletableFuture<Void> two = CompletableFuture.runAsync(() -> {
                pace.take();
                pace.take();
            });
            clock.advanceTimeBy(Duration.ofMillis(10));
            assertThat(two).isNotCompleted();
            clock.advanceTimeBy(Duration.ofMillis(10));
            two.join();
            CompletableFuture<Void> more = CompletableFuture.runAsync(pace::take);
            assertThat(more).isNotCompleted();
        }
    }
}
