package io.fluxmark.http;

import io.fluxmark.sinks.CheckpointCosts;
import io.fluxmark.sinks.CheckpointFigures;
import io.fluxmark.sinks.JobHealth;
import io.fluxmark.sinks.JobMonitor;
import io.fluxmark.sinks.JobObservation;
import io.fluxmark.sinks.JobState;
import io.fluxmark.sinks.LaneObservation;
import io.fluxmark.windows.Counter;
import io.fluxmark.windows.Counters;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * A job's figures as Micrometer meters; needs {@code io.micrometer:micrometer-core} on the class path, which nothing else here
 * does. What each meter says stands in docs/operations.md. There is one of each per job, or per job and lane, or per job and
 * outcome: their number is fixed by the number of jobs and partitions.
 */
public final class JobMeters {

    private static final String PREFIX = "fluxmark.job.";
    private static final double MILLIS = 1e3;
    private static final double NANOS = 1e9;

    /** What becomes of an event, one of these. */
    private static final List<Counter> OUTCOMES = List.of(
            Counter.ON_TIME,
            Counter.REFIRED,
            Counter.DROPPED,
            Counter.SIDE,
            Counter.REJECTED,
            Counter.UNASSIGNED,
            Counter.DUPLICATES,
            Counter.FAILED);

    private final MeterRegistry registry;
    private final String job;
    private final CheckpointCosts costs;
    private final @Nullable Duration betweenFailures;
    private final List<Meter> meters = new ArrayList<>();
    private int lanes;
    private boolean over;

    /** Read by whoever reads a meter; null before the first look. */
    private volatile @Nullable JobObservation newest;

    private JobMeters(MeterRegistry registry, JobMonitor monitor, @Nullable Duration betweenFailures) {
        this.registry = registry;
        this.job = monitor.job();
        this.costs = monitor.costs();
        this.betweenFailures = betweenFailures;
    }

    /**
     * Registers the meters of a job and keeps them up to date until disposed of, which removes them. Looks at the job at once and
     * then every {@code period}; a look that fails, as while a store opens itself again, leaves the meters as they were.
     *
     * @param period the time between two looks, at least 1 ms
     * @param scheduler where the time passes
     */
    public static Disposable bind(MeterRegistry registry, JobMonitor monitor, Duration period, Scheduler scheduler) {
        return bind(registry, monitor, period, scheduler, null);
    }

    /**
     * The same with a meter of the checkpoint interval that {@link CheckpointCosts#advice} gives.
     *
     * @param betweenFailures the mean time between failures that it is asked for, positive; null for no such meter
     */
    public static Disposable bind(
            MeterRegistry registry,
            JobMonitor monitor,
            Duration period,
            Scheduler scheduler,
            @Nullable Duration betweenFailures) {
        Objects.requireNonNull(registry, "registry");
        if (betweenFailures != null && (betweenFailures.isNegative() || betweenFailures.isZero())) {
            throw new IllegalArgumentException("the mean time between failures is positive but was " + betweenFailures);
        }
        if (period.toMillis() < 1) {
            throw new IllegalArgumentException(
                    "the time between two looks at a job is at least 1 ms but was " + period);
        }
        JobMeters meters = new JobMeters(registry, monitor, betweenFailures);
        meters.registerJob();
        Disposable looking = Flux.interval(Duration.ZERO, period, scheduler)
                .onBackpressureDrop()
                .concatMap(
                        tick -> monitor.observe()
                                .subscribeOn(Schedulers.boundedElastic())
                                .onErrorResume(error -> Mono.empty()),
                        1)
                .subscribe(meters::show);
        return () -> {
            looking.dispose();
            meters.remove();
        };
    }

    private synchronized void show(JobObservation observation) {
        newest = observation;
        for (; lanes < observation.lanes().size() && !over; lanes++) {
            registerLane(lanes);
        }
    }

    private synchronized void remove() {
        over = true;
        meters.forEach(registry::remove);
        meters.clear();
    }

    private synchronized void registerJob() {
        gauge("running", null, seen -> seen.state() == JobState.RUNNING ? 1 : 0);
        gauge("health", null, seen -> health(seen.health().status()));
        counter("restarts", Tags.empty(), JobObservation::restarts);
        counter("checkpoints", Tags.of("result", "completed"), seen -> seen.checkpoints()
                .completed());
        counter("checkpoints", Tags.of("result", "failed"), seen -> seen.checkpoints()
                .failed());
        counter("rows", Tags.empty(), seen -> seen.checkpoints().rows());
        gauge("checkpoint.duration", "seconds", seen -> lastDuration(seen.checkpoints()));
        gauge("checkpoint.size", "bytes", seen -> seen.checkpoints().lastBytes());
        gauge("checkpoint.age", "seconds", seen -> seconds(seen.checkpointAge()));
        cost("checkpoint.cost", CheckpointCosts::perCheckpoint);
        Duration mean = betweenFailures;
        if (mean != null) {
            cost("checkpoint.advised", measured -> measured.advice(mean).interval());
        }
        gauge("watermark.lag", "seconds", seen -> seconds(seen.watermarkLag()));
        gauge("store.size", "bytes", seen -> seen.store().fileBytes());
        gauge("store.unsaved", "bytes", seen -> seen.store().unsavedBytes());
        counter("store.reopenings", Tags.empty(), seen -> seen.store().reopenings());
        for (Counter outcome : OUTCOMES) {
            counter("events", Tags.of("outcome", outcome.name().toLowerCase(Locale.ROOT)), seen -> counts(seen)
                    .get(outcome));
        }
    }

    private void registerLane(int index) {
        Tags lane = Tags.of("lane", Integer.toString(index));
        laneGauge("lag", "records", lane, index, LaneObservation::lag);
        laneGauge("unread", "records", lane, index, seen -> seen.unread() < 0 ? Double.NaN : seen.unread());
        laneGauge("state.entries", "entries", lane, index, LaneObservation::stateEntries);
        laneGauge("state.size", "bytes", lane, index, LaneObservation::stateBytes);
        laneGauge("windows.open", "windows", lane, index, LaneObservation::openWindows);
        laneGauge("watermark", "seconds", lane, index, seen -> seconds(seen.watermark()));
    }

    private static double health(JobHealth.Status status) {
        return switch (status) {
            case UP -> 2;
            case DEGRADED -> 1;
            case DOWN -> 0;
        };
    }

    private static double lastDuration(CheckpointFigures figures) {
        return figures.completed() == 0 ? Double.NaN : figures.lastDuration().toNanos() / NANOS;
    }

    private static double seconds(OptionalLong millis) {
        return millis.isEmpty() ? Double.NaN : millis.getAsLong() / MILLIS;
    }

    private static Counters counts(JobObservation seen) {
        return seen.lanes().stream().map(LaneObservation::counts).reduce(Counters.ZERO, Counters::plus);
    }

    private void gauge(String name, @Nullable String unit, ToDoubleFunction<JobObservation> value) {
        meters.add(Gauge.builder(PREFIX + name, this, meter -> meter.read(value, Double.NaN))
                .tags(tags(Tags.empty()))
                .baseUnit(unit)
                .strongReference(true)
                .register(registry));
    }

    /** Seconds of what was measured; NaN before the first checkpoint. */
    private void cost(String name, Function<CheckpointCosts, Duration> seconds) {
        meters.add(Gauge.builder(
                        PREFIX + name,
                        costs,
                        measured -> measured.perCheckpoint().isZero()
                                ? Double.NaN
                                : seconds.apply(measured).toNanos() / NANOS)
                .tags(tags(Tags.empty()))
                .baseUnit("seconds")
                .strongReference(true)
                .register(registry));
    }

    private void laneGauge(String name, String unit, Tags lane, int index, ToDoubleFunction<LaneObservation> value) {
        ToDoubleFunction<JobObservation> ofJob =
                seen -> value.applyAsDouble(seen.lanes().get(index));
        meters.add(Gauge.builder(PREFIX + name, this, meter -> meter.read(ofJob, Double.NaN))
                .tags(tags(lane))
                .baseUnit(unit)
                .strongReference(true)
                .register(registry));
    }

    private void counter(String name, Tags more, ToDoubleFunction<JobObservation> value) {
        // A function counter holds its object weakly: the subscription that keeps the figures up to date holds it too.
        meters.add(FunctionCounter.builder(PREFIX + name, this, meter -> meter.read(value, 0))
                .tags(tags(more))
                .register(registry));
    }

    private Tags tags(Tags more) {
        return Tags.of("job", job).and(more);
    }

    private double read(ToDoubleFunction<JobObservation> value, double unknown) {
        JobObservation seen = newest;
        return seen == null ? unknown : value.applyAsDouble(seen);
    }
}
