package io.fluxmark.experiments.measure;

import io.fluxmark.benchmarks.Event;
import io.fluxmark.benchmarks.Generator;
import java.util.concurrent.TimeUnit;

/**
 * When events are due: so many a second from a moment on, whoever may be late with them. An event has its number as its value;
 * its event time counts from {@link Playback#START} as the clock does from that moment. Immutable.
 */
public final class Schedule {

    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    private final long start;
    private final double perSecond;
    private final Generator generator;

    /**
     * From a moment on.
     *
     * @param startNanos of any clock
     * @param keys how many there are, equally frequent
     */
    public Schedule(long startNanos, double perSecond, int keys) {
        this.start = startNanos;
        this.perSecond = perSecond;
        this.generator = Generator.uniform(keys);
    }

    /** When an event is due, on the clock of the start, ns. */
    public long dueNanos(long number) {
        return start + (long) (number * NANOS_PER_SECOND / perSecond);
    }

    /** How many events are due by a moment. */
    public long due(long nanos) {
        return nanos < start ? 0 : (long) ((nanos - start) / NANOS_PER_SECOND * perSecond);
    }

    /** The event of a number, from 0. */
    public Event event(long number) {
        return new Event(
                generator.event(number).key(), number, Playback.START + (dueNanos(number) - start) / NANOS_PER_MILLI);
    }
}
