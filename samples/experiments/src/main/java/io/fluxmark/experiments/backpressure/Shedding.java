package io.fluxmark.experiments.backpressure;

import io.fluxmark.benchmarks.CountSumMax;
import io.fluxmark.benchmarks.Event;
import io.fluxmark.experiments.measure.Schedule;
import io.fluxmark.windows.Counter;
import io.fluxmark.windows.Counters;
import io.fluxmark.windows.EventFlux;
import io.fluxmark.windows.LiveCounters;
import io.fluxmark.windows.WatermarkSpec;
import io.fluxmark.windows.WindowSpec;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** The other way to bound memory: what the consumer does not ask for is dropped and counted. */
final class Shedding {

    private static final int BUFFER = 256;
    private static final Duration WINDOW = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private Shedding() {}

    /**
     * Where all events have gone.
     *
     * @param offered by the producer
     * @param dropped before the pipeline
     * @param counters of the window that the others came to
     * @param growth of the live heap from the first quarter to the end, MB
     */
    record Outcome(long offered, long dropped, Counters counters, double growth) {

        /** Whether every event is accounted for, once. */
        boolean sumHolds() {
            return counters.sumHolds() && offered == dropped + counters.get(Counter.INGESTED);
        }
    }

    /** Runs for so long. */
    static Outcome run(int perSecond, int produced, Duration time, Scheduler clock) {
        AtomicLong offered = new AtomicLong();
        AtomicLong dropped = new AtomicLong();
        AtomicReference<LiveCounters> counters = new AtomicReference<>();
        AtomicReference<Double> early = new AtomicReference<>(0.0);
        Schedule schedule = new Schedule(clock.now(TimeUnit.NANOSECONDS), produced, PacedJob.KEYS);
        long end = (long) (produced * (double) time.toNanos() / TimeUnit.SECONDS.toNanos(1));
        Flux<Event> shed = Flux.interval(PacedJob.TICK, clock)
                .onBackpressureDrop()
                .concatMapIterable(tick -> due(schedule, offered, end, clock))
                .takeUntil(event -> event.value() == end - 1)
                .onBackpressureDrop(event -> dropped.incrementAndGet())
                .publishOn(Schedulers.boundedElastic(), BUFFER);
        try (Pace pace = new Pace(perSecond, PacedJob.TICK, clock)) {
            EventFlux.from(shed)
                    .watermarksMillis(Event::timestamp, WatermarkSpec.boundedOutOfOrderness(Duration.ZERO))
                    .map(event -> {
                        pace.take();
                        return event;
                    })
                    .keyByLong(Event::key)
                    .window(WindowSpec.tumbling(WINDOW))
                    .countersTo(counters::set)
                    .aggregate(new CountSumMax())
                    .toFlux()
                    .doOnSubscribe(any -> clock.schedule(
                            () -> early.set(LiveHeap.megabytes()), time.toMillis() / 4, TimeUnit.MILLISECONDS))
                    .blockLast(time.plus(PATIENCE));
        }
        Counters counted = Objects.requireNonNull(counters.get(), "counters").snapshot();
        double growth = LiveHeap.megabytes() - Objects.requireNonNull(early.get());
        return new Outcome(offered.get(), dropped.get(), counted, growth);
    }

    /** What has become due since the last time. */
    private static Iterable<Event> due(Schedule schedule, AtomicLong offered, long end, Scheduler clock) {
        long from = offered.get();
        long to = Math.min(end, schedule.due(clock.now(TimeUnit.NANOSECONDS)));
        offered.set(to);
        return () -> LongStream.range(from, to).mapToObj(schedule::event).iterator();
    }
}
