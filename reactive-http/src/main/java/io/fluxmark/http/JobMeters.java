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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * A job's figures as Micrometer meters; needs {@code io.micrometer:micrometer-core} on the class path, which nothing else here
 * does. {@link JobMeter} says what there is. There is one of each per job, or per job and lane, or per job and
 * outcome: their number is fixed by the number of jobs and partitions.
 */
public final class JobMeters {

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
            Counter.FAILED,
            Counter.LATE);

    /** What else is counted. */
    private static final List<Counter> COUNTS = Stream.of(Counter.values())
            .filter(counter -> !OUTCOMES.contains(counter))
            .toList();

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
        gauge(JobMeter.RUNNING, seen -> seen.state() == JobState.RUNNING ? 1 : 0);
        gauge(JobMeter.HEALTH, seen -> health(seen.health().status()));
        counter(JobMeter.RESTARTS, Tags.empty(), JobObservation::restarts);
        counter(JobMeter.CHECKPOINTS, Tags.of("result", "completed"), seen -> seen.checkpoints()
                .completed());
        counter(JobMeter.CHECKPOINTS, Tags.of("result", "failed"), seen -> seen.checkpoints()
                .failed());
        counter(JobMeter.ROWS, Tags.empty(), seen -> seen.checkpoints().rows());
        gauge(JobMeter.CHECKPOINT_DURATION, seen -> lastDuration(seen.checkpoints()));
        gauge(JobMeter.CHECKPOINT_SIZE, seen -> seen.checkpoints().lastBytes());
        gauge(JobMeter.CHECKPOINT_AGE, seen -> seconds(seen.checkpointAge()));
        cost(JobMeter.CHECKPOINT_COST, CheckpointCosts::perCheckpoint);
        Duration mean = betweenFailures;
        if (mean != null) {
            cost(JobMeter.CHECKPOINT_ADVISED, measured -> measured.advice(mean).interval());
        }
        gauge(JobMeter.WATERMARK_LAG, seen -> seconds(seen.watermarkLag()));
        gauge(JobMeter.STORE_SIZE, seen -> seen.store().fileBytes());
        gauge(JobMeter.STORE_UNSAVED, seen -> seen.store().unsavedBytes());
        counter(JobMeter.STORE_REOPENINGS, Tags.empty(), seen -> seen.store().reopenings());
        OUTCOMES.forEach(outcome -> counted(JobMeter.EVENTS, "outcome", outcome));
        COUNTS.forEach(count -> counted(JobMeter.COUNTS, "count", count));
    }

    private void counted(JobMeter meter, String tag, Counter counter) {
        counter(meter, Tags.of(tag, counter.name().toLowerCase(Locale.ROOT)), seen -> counts(seen)
                .get(counter));
    }

    private void registerLane(int index) {
        Tags lane = Tags.of("lane", Integer.toString(index));
        laneGauge(JobMeter.LAG, lane, index, LaneObservation::lag);
        laneGauge(JobMeter.UNREAD, lane, index, seen -> seen.unread() < 0 ? Double.NaN : seen.unread());
        laneGauge(JobMeter.STATE_ENTRIES, lane, index, LaneObservation::stateEntries);
        laneGauge(JobMeter.STATE_SIZE, lane, index, LaneObservation::stateBytes);
        laneGauge(JobMeter.WINDOWS_OPEN, lane, index, LaneObservation::openWindows);
        laneGauge(JobMeter.WATERMARK, lane, index, seen -> seconds(seen.watermark()));
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

    private void gauge(JobMeter meter, ToDoubleFunction<JobObservation> value) {
        gauge(meter, Tags.empty(), value);
    }

    private void laneGauge(JobMeter meter, Tags lane, int index, ToDoubleFunction<LaneObservation> value) {
        gauge(meter, lane, seen -> value.applyAsDouble(seen.lanes().get(index)));
    }

    private void gauge(JobMeter meter, Tags more, ToDoubleFunction<JobObservation> value) {
        register(meter, more, Gauge.builder(meter.getName(), this, all -> all.read(value, Double.NaN)));
    }

    /** Seconds of what was measured; NaN before the first checkpoint. */
    private void cost(JobMeter meter, Function<CheckpointCosts, Duration> seconds) {
        register(
                meter,
                Tags.empty(),
                Gauge.builder(
                        meter.getName(),
                        costs,
                        measured -> measured.perCheckpoint().isZero()
                                ? Double.NaN
                                : seconds.apply(measured).toNanos() / NANOS));
    }

    private void register(JobMeter meter, Tags more, Gauge.Builder<?> gauge) {
        meters.add(gauge.tags(tags(more))
                .baseUnit(unit(meter))
                .description(meter.says())
                .strongReference(true)
                .register(registry));
    }

    private void counter(JobMeter meter, Tags more, ToDoubleFunction<JobObservation> value) {
        // A function counter holds its object weakly: the subscription that keeps the figures up to date holds it too.
        meters.add(FunctionCounter.builder(meter.getName(), this, all -> all.read(value, 0))
                .tags(tags(more))
                .baseUnit(unit(meter))
                .description(meter.says())
                .register(registry));
    }

    private static @Nullable String unit(JobMeter meter) {
        return meter.getBaseUnit().isEmpty() ? null : meter.getBaseUnit();
    }

    private Tags tags(Tags more) {
        return Tags.of("job", job).and(more);
    }

    private double read(ToDoubleFunction<JobObservation> value, double unknown) {
        JobObservation seen = newest;
        return seen == null ? unknown : value.applyAsDouble(seen);
    }
}
