package io.fluxmark.experiments.backpressure;

import io.fluxmark.benchmarks.log.Workspace;
import io.fluxmark.experiments.measure.Experiment;
import io.fluxmark.experiments.measure.Figures;
import io.fluxmark.experiments.measure.Plots;
import io.fluxmark.experiments.measure.Scale;
import io.fluxmark.experiments.measure.Table;
import io.fluxmark.windows.Counter;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.knowm.xchart.XYChart;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** E10: ten minutes of a log that fills a hundred times as fast as it is read; then a queue without a bound, and shedding. */
public final class Backpressure implements Experiment {

    static final int MINUTES = 10;

    private static final int PER_SECOND = 1_000;
    private static final int TIMES = 100;
    private static final int PRODUCED = TIMES * PER_SECOND;

    private final Table heap =
            new Table("minute", "live_heap_mb", "produced", "consumed", "backlog", "log_mb", "commits");

    /** For the registry. */
    public Backpressure() {}

    @Override
    public List<String> measure(Path directory, Scale scale, PrintStream out) throws IOException {
        Duration minute = scale.of(Duration.ofMinutes(1), Duration.ofMillis(300));
        Scheduler clock = Schedulers.newSingle("e10-clock");
        try {
            new Workspace(directory).within(files -> pipeline(files, minute, clock, out));
            Unbounded unbounded = Unbounded.run(
                    PER_SECOND,
                    scale.of(PRODUCED, 20 * PRODUCED),
                    scale.of("512m", "64m"),
                    scale.of(60, 30),
                    Schedulers.immediate());
            out.println("E10: the unbounded queue ended after " + unbounded.lasted() + " s");
            Shedding.Outcome shed =
                    Shedding.run(PER_SECOND, PRODUCED, scale.of(Duration.ofSeconds(20), Duration.ofSeconds(1)), clock);
            Table contrast = contrast(unbounded, shed);
            heap.write(directory.resolve("E10-heap.csv"));
            contrast.write(directory.resolve("E10-contrast.csv"));
            unbounded.seconds().write(directory.resolve("E10-queue.csv"));
            plot(unbounded.seconds(), directory);
            return BackpressureText.of(heap, contrast, unbounded, shed);
        } finally {
            clock.dispose();
        }
    }

    private void pipeline(Path files, Duration minute, Scheduler clock, PrintStream out) {
        try (PacedJob job = new PacedJob(files, PER_SECOND, PRODUCED, clock)) {
            long start = Schedulers.parallel().now(TimeUnit.NANOSECONDS);
            for (int sample = 1; sample <= MINUTES; sample++) {
                long left = start
                        + sample * minute.toNanos()
                        - Schedulers.parallel().now(TimeUnit.NANOSECONDS);
                Mono.delay(Duration.ofNanos(Math.max(0, left))).block();
                long produced = job.produced();
                long consumed = job.consumed();
                heap.row(
                        sample,
                        Figures.decimal(LiveHeap.megabytes(), 2),
                        produced,
                        consumed,
                        produced - consumed,
                        Figures.decimal(job.logMegabytes(), 1),
                        job.commits());
                out.println("E10: minute " + sample + " of " + MINUTES);
            }
        }
    }

    private static Table contrast(Unbounded unbounded, Shedding.Outcome shed) {
        return new Table("what", "produced", "taken", "queued", "dropped", "end")
                .row(
                        "unbounded queue",
                        unbounded.last("produced"),
                        unbounded.last("consumed"),
                        unbounded.last("queued"),
                        0,
                        unbounded.survived() ? "survived" : "out of memory after " + unbounded.lasted() + " s")
                .row(
                        "shedding",
                        shed.offered(),
                        shed.counters().get(Counter.INGESTED),
                        0,
                        shed.dropped(),
                        "a sample of " + Figures.percent(shed.counters().get(Counter.INGESTED), shed.offered(), 2)
                                + " %");
    }

    private void plot(Table queue, Path directory) throws IOException {
        XYChart chart = Plots.lines("Live heap behind a log that fills", "minute", "MB after a full collection");
        chart.getStyler().setYAxisMin(0.0);
        Plots.line(chart, "a job behind the log", heap.numbers("minute"), heap.numbers("live_heap_mb"));
        Plots.write(chart, directory.resolve("E10-heap.png"));
        XYChart unbounded = Plots.lines("A queue without a bound", "second", "MB of heap used");
        unbounded.getStyler().setYAxisMin(0.0);
        if (!queue.rows().isEmpty()) {
            Plots.line(unbounded, "unbounded queue", queue.numbers("second"), queue.numbers("used_mb"));
        }
        Plots.write(unbounded, directory.resolve("E10-queue.png"));
    }
}
