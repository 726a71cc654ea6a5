package io.fluxmark.test;

import io.fluxmark.windows.TimestampFunction;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Scheduler;
import reactor.test.scheduler.VirtualTimeScheduler;

/**
 * A clock that a test moves: the {@link #scheduler} goes wherever a {@link Scheduler} is asked for, and events played by
 * {@link #play} take processing time along with event time, as in a service whose events are fresh.
 *
 * <pre>{@code
 * VirtualClock clock = VirtualClock.at(Instant.ofEpochMilli(0));
 * EventFlux.from(clock.play(orders, Order::millis), 1)
 *     .watermarksMillis(Order::millis, spec)
 *     .keyBy(Order::customer)
 *     .window(WindowSpec.tumbling(ofMinutes(1)).early(Early.every(ofSeconds(10))))
 *     .aggregate(counting())
 *     .elements(() -> LaneContext.local(clock.scheduler()))
 * }</pre>
 *
 * <p>Tasks that are due run on the thread that moves the clock. To be moved by one thread at a time.
 */
public final class VirtualClock {

    private final VirtualTimeScheduler scheduler = VirtualTimeScheduler.create();

    private VirtualClock() {}

    /**
     * A clock that stands.
     *
     * @param start not before 1970
     */
    public static VirtualClock at(Instant start) {
        if (start.isBefore(Instant.EPOCH)) {
            throw new IllegalArgumentException("a virtual clock starts at 1970 or later but was told " + start);
        }
        VirtualClock clock = new VirtualClock();
        clock.scheduler.advanceTimeTo(start);
        return clock;
    }

    /** The clock for whoever takes one. */
    public Scheduler scheduler() {
        return scheduler;
    }

    /** The time, in milliseconds since the epoch. */
    public long millis() {
        return scheduler.now(TimeUnit.MILLISECONDS);
    }

    /** The time. */
    public Instant now() {
        return Instant.ofEpochMilli(millis());
    }

    /** Moves the clock on, and runs what is due, in order. */
    public void advanceBy(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("a clock goes forward but was told " + time);
        }
        scheduler.advanceTimeBy(time);
    }

    /** Moves the clock on to a moment; one that has passed leaves it where it is. */
    public void advanceTo(Instant moment) {
        if (moment.isAfter(now())) {
            scheduler.advanceTimeTo(moment);
        }
    }

    /**
     * The events, each when the clock has been moved to its time: event time and processing time go together. An event
     * older than the clock leaves it where it is, as one that was on its way for long. Under demand; cold.
     */
    public <T> Flux<T> play(List<? extends T> events, TimestampFunction<? super T> time) {
        Objects.requireNonNull(time, "time");
        return Flux.<T>fromIterable(List.copyOf(events))
                .doOnNext(event -> advanceTo(Instant.ofEpochMilli(time.epochMillis(event))));
    }
}
