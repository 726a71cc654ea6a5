package io.fluxmark.experiments.backpressure;

import io.fluxmark.benchmarks.CountSumMax;
import io.fluxmark.benchmarks.Event;
import io.fluxmark.benchmarks.durable.EventRecords;
import io.fluxmark.benchmarks.durable.SummaryCodec;
import io.fluxmark.experiments.measure.Schedule;
import io.fluxmark.experiments.measure.ScheduledProducer;
import io.fluxmark.log.Durability;
import io.fluxmark.log.EventLog;
import io.fluxmark.log.LogSpec;
import io.fluxmark.log.Topic;
import io.fluxmark.log.TypedTopic;
import io.fluxmark.sinks.LogSource;
import io.fluxmark.sinks.TransactionalSink;
import io.fluxmark.state.StateStore;
import io.fluxmark.windows.Checkpoint;
import io.fluxmark.windows.CheckpointSpec;
import io.fluxmark.windows.KeyCodec;
import io.fluxmark.windows.WatermarkSpec;
import io.fluxmark.windows.WindowSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** A job over a log that fills faster than the job may read: windows, rows, and a commit every second. */
final class PacedJob implements AutoCloseable {

    static final int KEYS = 1_000;
    static final Duration TICK = Duration.ofMillis(10);

    private static final Duration WINDOW = Duration.ofSeconds(1);
    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final double MEGABYTE = 1e6;

    private final Path files;
    private final EventLog log;
    private final StateStore store;
    private final ScheduledProducer producer;
    private final Pace pace;
    private final AtomicLong consumed = new AtomicLong();
    private final AtomicLong commits = new AtomicLong();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final Disposable.Composite running = Disposables.composite();

    /** Starts producer and job. */
    PacedJob(Path directory, int perSecond, int produced, Scheduler clock) {
        files = directory.resolve("log");
        log = await(EventLog.open(files, LogSpec.defaults().durability(Durability.OS)));
        store = await(StateStore.open(directory.resolve("store")));
        Topic topic = await(log.createTopic("events", 1));
        TypedTopic<Event> events = new TypedTopic<>(topic, new EventRecords());
        producer = new ScheduledProducer(events, new Schedule(clock.now(TimeUnit.NANOSECONDS), produced, KEYS), clock);
        pace = new Pace(perSecond, TICK, clock);
        running.add(job(events).subscribe(commit -> commits.incrementAndGet(), failure::set));
        running.add(producer.run(TICK).subscribe(nothing -> {}, failure::set));
    }

    private Flux<Checkpoint> job(TypedTopic<Event> events) {
        return LogSource.of(events)
                .recordKeys(EventRecords::key)
                .watermarksMillis(Event::timestamp, WatermarkSpec.boundedOutOfOrderness(Duration.ZERO))
                .map(this::consume)
                .keyByLong(Event::key)
                .window(WindowSpec.tumbling(WINDOW))
                .aggregate(new CountSumMax())
                .writeTo(
                        TransactionalSink.table(store, "totals", KeyCodec.<Long>tagged(), new SummaryCodec()),
                        // The consumer waits on the lane's thread: that has to be one that may.
                        CheckpointSpec.every(INTERVAL).named("paced").scheduler(Schedulers.boundedElastic()));
    }

    private Event consume(Event event) {
        pace.take();
        consumed.incrementAndGet();
        return event;
    }

    /** How many events are in the log. */
    long produced() {
        failIfFailed();
        return producer.appended();
    }

    long consumed() {
        return consumed.get();
    }

    long commits() {
        return commits.get();
    }

    /** The size of the log's files. */
    double logMegabytes() {
        try (Stream<Path> walk = Files.walk(files)) {
            return walk.mapToLong(path -> path.toFile().length()).sum() / MEGABYTE;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void failIfFailed() {
        if (failure.get() != null) {
            throw new IllegalStateException("the job or its producer has failed", failure.get());
        }
    }

    private static <T> T await(Mono<T> mono) {
        return Objects.requireNonNull(mono.block(), "nothing came");
    }

    /** Stops both. */
    @Override
    public void close() {
        running.dispose();
        pace.close();
        log.close();
        store.close();
    }
}
