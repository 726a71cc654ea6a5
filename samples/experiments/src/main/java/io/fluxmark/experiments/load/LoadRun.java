package io.fluxmark.experiments.load;

import io.fluxmark.benchmarks.log.Workspace;
import io.fluxmark.experiments.measure.Figures;
import io.fluxmark.experiments.measure.Table;
import io.fluxmark.experiments.measure.Trend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Scheduler;

/** One load, for some time: samples of the lag, and the latencies of it all. */
final class LoadRun {

    /** A load is judged by the part of its run behind its first sixth, in which it gets going. */
    private static final int SETTLED = 6;

    /** However short the run: each part of it needs some for a line. */
    private static final int LEAST_SAMPLES = 12;

    private static final Duration SAMPLE = Duration.ofMillis(100);
    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final double NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    private final int percent;
    private final double perSecond;
    private final Duration time;
    private final Scheduler clock;
    private final List<Double> seconds = new ArrayList<>();
    private final List<Double> lagMillis = new ArrayList<>();
    private final List<Long> lagRecords = new ArrayList<>();
    private double producerLate;

    /** @param capacity events a second that are 100 % */
    LoadRun(int percent, double capacity, Duration time, Scheduler clock) {
        this.percent = percent;
        this.perSecond = capacity * percent / 100;
        this.time = time;
        this.clock = clock;
    }

    /** Runs, and adds its samples and what they come to. */
    void run(Workspace workspace, Table samples, Table loads) {
        workspace.within(files -> {
            LoadedJob job = new LoadedJob(files, perSecond, 0);
            try (job) {
                job.start();
                long began = clock.now(TimeUnit.NANOSECONDS);
                Flux.interval(SAMPLE, clock)
                        .onBackpressureDrop()
                        .takeWhile(tick -> seconds.size() < LEAST_SAMPLES
                                || clock.now(TimeUnit.NANOSECONDS) - began < time.toNanos())
                        .doOnNext(tick -> sample(job, clock.now(TimeUnit.NANOSECONDS) - began))
                        .blockLast();
            }
            loads.row(row(job.latencies()));
        });
        for (int i = 0; i < seconds.size(); i++) {
            samples.row(
                    percent,
                    Figures.decimal(seconds.get(i), 2),
                    Figures.decimal(lagMillis.get(i), 1),
                    lagRecords.get(i));
        }
    }

    private void sample(LoadedJob job, long nanos) {
        seconds.add(nanos / NANOS_PER_SECOND);
        lagMillis.add(job.lateNanos() / NANOS_PER_MILLI);
        lagRecords.add(Math.max(0, job.due() - job.worked()));
        producerLate = Math.max(producerLate, job.producerLateNanos() / NANOS_PER_MILLI);
    }

    private Object[] row(Latencies latencies) {
        int third = seconds.size() * 2 / 3;
        return new Object[] {
            percent,
            Math.round(perSecond),
            time.toMillis() / 1_000,
            Figures.decimal(slope(seconds.size() / SETTLED), 1),
            Figures.decimal(rise(third), 1),
            Figures.decimal(lagMillis.get(lagMillis.size() - 1), 0),
            millis(latencies.worked(), 50),
            millis(latencies.worked(), 99),
            millis(latencies.durable(), 50),
            millis(latencies.durable(), 99),
            Figures.decimal(producerLate, 1)
        };
    }

    /** Of the lag in ms for each second of run, from a sample on. */
    private double slope(int from) {
        int end = seconds.size();
        return Trend.of(seconds.subList(from, end), lagMillis.subList(from, end))
                .slope();
    }

    /** From the median of the first half to that of the second, which a single stop does not move; ms for each second. */
    private double rise(int from) {
        int end = seconds.size();
        int middle = (from + end) / 2;
        double later = Figures.median(lagMillis.subList(middle, end)) - Figures.median(lagMillis.subList(from, middle));
        return later / ((seconds.get(end - 1) - seconds.get(from)) / 2);
    }

    private static String millis(Histogram latencies, double percentile) {
        return Figures.decimal(latencies.getValueAtPercentile(percentile) / NANOS_PER_MILLI, 1);
    }
}
