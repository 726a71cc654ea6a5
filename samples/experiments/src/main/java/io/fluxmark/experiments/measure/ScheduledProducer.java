package io.fluxmark.experiments.measure;

import io.fluxmark.benchmarks.Event;
import io.fluxmark.log.AppendRecord;
import io.fluxmark.log.TypedTopic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** Appends events when they are due, tick by tick; what has become late, because an append took its time, as soon as it can. */
public final class ScheduledProducer {

    /** In one append, whatever is due. */
    private static final int MOST = 20_000;

    private final TypedTopic<Event> topic;
    private final Schedule schedule;
    private final Scheduler clock;
    private volatile long appended;

    /**
     * A producer of a topic.
     *
     * @param clock that of the schedule; events are made on it
     */
    public ScheduledProducer(TypedTopic<Event> topic, Schedule schedule, Scheduler clock) {
        this.topic = topic;
        this.schedule = schedule;
        this.clock = clock;
    }

    /** Appends until it is cancelled. */
    public Mono<Void> run(Duration tick) {
        return Flux.interval(tick, clock)
                .onBackpressureDrop()
                .publishOn(clock, 1)
                .concatMap(any -> appendDue(), 1)
                .then();
    }

    /** Appends so many at once, due or not: they are what the schedule begins with. */
    public Mono<Void> fill(long events) {
        return Mono.defer(() -> append(Math.min(MOST, events - appended)))
                .repeat(() -> appended < events)
                .then();
    }

    private Mono<Void> appendDue() {
        return append(Math.min(MOST, schedule.due(clock.now(TimeUnit.NANOSECONDS)) - appended));
    }

    private Mono<Void> append(long count) {
        if (count <= 0) {
            return Mono.empty();
        }
        long first = appended;
        List<AppendRecord> records = new ArrayList<>((int) count);
        for (long number = first; number < first + count; number++) {
            records.add(topic.codec().encode(schedule.event(number)));
        }
        return topic.topic()
                .append(records)
                .doOnNext(results -> appended = first + count)
                .then();
    }

    /** How many events the log has acknowledged. */
    public long appended() {
        return appended;
    }

    /** How late the next event is, ns; 0 if none is. */
    public long lateNanos() {
        return Math.max(0, clock.now(TimeUnit.NANOSECONDS) - schedule.dueNanos(appended));
    }
}
