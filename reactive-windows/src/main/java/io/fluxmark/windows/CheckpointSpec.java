package io.fluxmark.windows;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** When a job commits, what it is called, and how it ends. Immutable. */
public final class CheckpointSpec {

    /** What one commit may hold is bounded, however long the interval. */
    private static final long DEFAULT_EVENTS = 1_000_000;

    private static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(1);
    private static final String NAME = "[A-Za-z0-9._-]{1,100}";

    private final long events;
    private final Duration interval;
    private final @Nullable String name;
    private final @Nullable Publisher<?> stop;
    private final @Nullable Publisher<?> drain;
    private final Scheduler scheduler;

    private CheckpointSpec(
            long events,
            Duration interval,
            @Nullable String name,
            @Nullable Publisher<?> stop,
            @Nullable Publisher<?> drain,
            Scheduler scheduler) {
        this.events = events;
        this.interval = interval;
        this.name = name;
        this.stop = stop;
        this.drain = drain;
        this.scheduler = scheduler;
    }

    /**
     * A barrier whenever {@code interval} has passed since the last one and there was any input; behind a million events
     * of a lane at the latest.
     */
    public static CheckpointSpec every(Duration interval) {
        return new CheckpointSpec(DEFAULT_EVENTS, positive(interval), null, null, null, Schedulers.parallel());
    }

    /** A barrier behind every {@code events}-th event of a lane, and after a second at the latest. */
    public static CheckpointSpec everyEvents(long events) {
        return new CheckpointSpec(atLeastOne(events), DEFAULT_INTERVAL, null, null, null, Schedulers.parallel());
    }

    /** Also when {@code interval} has passed. */
    public CheckpointSpec orEvery(Duration interval) {
        return new CheckpointSpec(events, positive(interval), name, stop, drain, scheduler);
    }

    /** Also behind every {@code events}-th event of a lane. */
    public CheckpointSpec orEveryEvents(long events) {
        return new CheckpointSpec(atLeastOne(events), interval, name, stop, drain, scheduler);
    }

    /** The job's name, under which a later run finds its state: 1 to 100 letters, digits, dots, dashes, underscores. */
    public CheckpointSpec named(String name) {
        if (!name.matches(NAME)) {
            throw new IllegalArgumentException("a job's name matches " + NAME + " but was '" + name + "'");
        }
        return new CheckpointSpec(events, interval, name, stop, drain, scheduler);
    }

    /**
     * When {@code signal} emits or completes: a last barrier in every lane, nothing is fired, and when it is durable the
     * job completes. The next run goes on from there.
     */
    public CheckpointSpec stopWhen(Publisher<?> signal) {
        return new CheckpointSpec(events, interval, name, Objects.requireNonNull(signal), drain, scheduler);
    }

    /**
     * When {@code signal} emits or completes: each lane reads what its partition holds by then, the stream ends, every
     * window fires, and the job is finished for good. A finished job with no newer records completes at once.
     */
    public CheckpointSpec drainWhen(Publisher<?> signal) {
        return new CheckpointSpec(events, interval, name, stop, Objects.requireNonNull(signal), scheduler);
    }

    /** Where lanes run and the clock they use; {@link Schedulers#parallel()} by default. */
    public CheckpointSpec scheduler(Scheduler scheduler) {
        return new CheckpointSpec(events, interval, name, stop, drain, Objects.requireNonNull(scheduler));
    }

    private static Duration positive(Duration interval) {
        if (interval.isNegative() || interval.isZero()) {
            throw new IllegalArgumentException("a checkpoint interval is positive but was " + interval);
        }
        return interval;
    }

    private static long atLeastOne(long events) {
        if (events < 1) {
            throw new IllegalArgumentException("a checkpoint takes at least 1 event but was given " + events);
        }
        return events;
    }

    /** Events of a lane between barriers, at least 1. */
    public long events() {
        return events;
    }

    /** The longest time between barriers while there is input. */
    public Duration interval() {
        return interval;
    }

    /** The job's name, or null. */
    public @Nullable String name() {
        return name;
    }

    /** What stops the job, or null. */
    public @Nullable Publisher<?> stop() {
        return stop;
    }

    /** What drains the job, or null. */
    public @Nullable Publisher<?> drain() {
        return drain;
    }

    /** Where lanes run. */
    public Scheduler scheduler() {
        return scheduler;
    }
}
