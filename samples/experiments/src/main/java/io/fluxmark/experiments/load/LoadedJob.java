package io.fluxmark.experiments.load;

import io.fluxmark.benchmarks.CountSumMax;
import io.fluxmark.benchmarks.Event;
import io.fluxmark.benchmarks.durable.EventRecords;
import io.fluxmark.benchmarks.durable.SummaryCodec;
import io.fluxmark.experiments.measure.Schedule;
import io.fluxmark.experiments.measure.ScheduledProducer;
import io.fluxmark.log.Durability;
import io.fluxmark.log.EventLog;
import io.fluxmark.log.LogSpec;
import io.fluxmark.log.TypedTopic;
import io.fluxmark.sinks.LogSource;
import io.fluxmark.sinks.TransactionalSink;
import io.fluxmark.state.StateStore;
import io.fluxmark.windows.Checkpoint;
import io.fluxmark.windows.CheckpointSpec;
import io.fluxmark.windows.KeyCodec;
import io.fluxmark.windows.WatermarkSpec;
import io.fluxmark.windows.WindowSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** A job over a log of one partition, a commit every second, and a producer that keeps to a schedule; each on a thread of its own. */
final class LoadedJob implements AutoCloseable {

    static final int KEYS = 10_000;
    static final Duration WINDOW = Duration.ofSeconds(10);

    private static final Duration TICK = Duration.ofMillis(1);
    private static final Duration INTERVAL = Duration.ofSeconds(1);

    private final EventLog log;
    private final StateStore store;
    private final TypedTopic<Event> events;
    private final Scheduler lane = Schedulers.newSingle("e11-lane");
    private final Scheduler clock = Schedulers.newSingle("e11-producer");
    private final Schedule schedule;
    private final ScheduledProducer producer;
    private final Latencies latencies;
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final Disposable.Composite running = Disposables.composite();

    /**
     * Opens log and store.
     *
     * @param backlog how many events are due before it starts, and are in the log then
     */
    LoadedJob(Path directory, double perSecond, long backlog) {
        log = await(EventLog.open(directory.resolve("log"), LogSpec.defaults().durability(Durability.OS)));
        store = await(StateStore.open(directory.resolve("store")));
        events = new TypedTopic<>(await(log.createTopic("events", 1)), new EventRecords());
        long start = clock.now(TimeUnit.NANOSECONDS) - new Schedule(0, perSecond, KEYS).dueNanos(backlog);
        schedule = new Schedule(start, perSecond, KEYS);
        producer = new ScheduledProducer(events, schedule, clock);
        latencies = new Latencies(schedule, clock, backlog);
        producer.fill(backlog).block();
    }

    /** Starts producer and job. */
    void start() {
        running.add(producer.run(TICK).subscribe(nothing -> {}, failure::set));
        running.add(job().subscribe(latencies::see, failure::set));
    }

    private Flux<Checkpoint> job() {
        return LogSource.of(events)
                .recordKeys(EventRecords::key)
                .watermarksMillis(Event::timestamp, WatermarkSpec.boundedOutOfOrderness(Duration.ZERO))
                .map(latencies::see)
                .map(Work::on)
                .keyByLong(Event::key)
                .window(WindowSpec.tumbling(WINDOW))
                .aggregate(new CountSumMax())
                .writeTo(
                        TransactionalSink.table(store, "totals", KeyCodec.<Long>tagged(), new SummaryCodec()),
                        CheckpointSpec.every(INTERVAL).named("loaded").scheduler(lane));
    }

    /** How many events have gone through the job, short of some 64. */
    long worked() {
        if (failure.get() != null) {
            throw new IllegalStateException("the job or its producer has failed", failure.get());
        }
        return latencies.next();
    }

    /** How many events should have gone through it by now. */
    long due() {
        return schedule.due(clock.now(TimeUnit.NANOSECONDS));
    }

    /** How long the event has been due that comes next, ns. */
    long lateNanos() {
        return Math.max(0, clock.now(TimeUnit.NANOSECONDS) - schedule.dueNanos(worked()));
    }

    /** How late the producer is itself, ns: a part of how late the job is. */
    long producerLateNanos() {
        return producer.lateNanos();
    }

    /** To be read when it is closed. */
    Latencies latencies() {
        return latencies;
    }

    private static <T> T await(Mono<T> mono) {
        return Objects.requireNonNull(mono.block(), "nothing came");
    }

    /** Stops both. */
    @Override
    public void close() {
        running.dispose();
        log.close();
        store.close();
        lane.dispose();
        clock.dispose();
    }
}
