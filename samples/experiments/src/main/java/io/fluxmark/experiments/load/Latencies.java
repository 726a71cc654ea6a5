package io.fluxmark.experiments.load;

import io.fluxmark.benchmarks.Event;
import io.fluxmark.experiments.measure.Schedule;
import io.fluxmark.windows.Checkpoint;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import reactor.core.scheduler.Scheduler;

/**
 * How late a job is with its events, counted from when they were due. Events and checkpoints are reported each by one thread at a
 * time; the histograms are to be read when the job has ended, {@link #next} at any time.
 */
final class Latencies {

    /** One event in so many is measured: reading the clock is not to be a part of what is measured. */
    private static final long EVERY = 64;

    private static final int DIGITS = 3;
    private static final long MOST = TimeUnit.MINUTES.toNanos(10);

    private final Schedule schedule;
    private final Scheduler clock;
    private final long from;
    private final Histogram worked = new Histogram(MOST, DIGITS);
    private final Histogram durable = new Histogram(MOST, DIGITS);
    private volatile long next;
    private long committed;

    /** @param from the number of the first event that counts */
    Latencies(Schedule schedule, Scheduler clock, long from) {
        this.schedule = schedule;
        this.clock = clock;
        this.from = from;
        this.committed = from;
    }

    /** An event goes through the job. */
    Event see(Event event) {
        long number = event.value();
        if (number % EVERY == 0) {
            next = number;
            if (number >= from) {
                worked.recordValue(late(number, clock.now(TimeUnit.NANOSECONDS)));
            }
        }
        return event;
    }

    /** All that has been read below an offset is durable now, with the state it made. */
    void see(Checkpoint checkpoint) {
        long now = clock.now(TimeUnit.NANOSECONDS);
        long end = checkpoint.lanes().get(0).positions().get(0).nextOffset();
        for (; committed < end; committed += EVERY) {
            durable.recordValue(late(committed, now));
        }
    }

    private long late(long number, long now) {
        return Math.min(MOST, Math.max(0, now - schedule.dueNanos(number)));
    }

    /** The newest event that has been looked at: some 64 before the one in work. */
    long next() {
        return next;
    }

    /** From when an event was due until it was worked on. */
    Histogram worked() {
        return worked;
    }

    /** From when an event was due until what it changed was durable. */
    Histogram durable() {
        return durable;
    }
}
