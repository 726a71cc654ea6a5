package io.fluxmark.benchmarks;

import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * The events of the tumbling benchmark: event {@code i} is a pure function of {@code i}, so that everything measured
 * sees the same events and none are stored.
 *
 * <p>There are 10 events per ms of event time. An event is delayed by 0 to 2,000 ms; one in 1,024, from event 10,000 on,
 * is 30 to 50 s late, which is behind every open window. Small keys are more frequent than large ones.
 */
final class Generator {

    /** The largest ordinary delay, ms. */
    static final long BOUND_MILLIS = 2_000;

    static final int KEYS = 10_000;

    private static final long EVENTS_PER_MILLI = 10;
    private static final long START = 1_700_000_000_000L;
    private static final long FIRST_STRAGGLER = 10_000;
    private static final long STRAGGLER_MIN_MILLIS = 30_000;
    private static final long STRAGGLER_SPREAD_MILLIS = 20_000;

    private Generator() {}

    /** The random bits of event {@code i}: splitmix64. Each property reads bits of its own. */
    static long bits(long i) {
        long z = i * 0x9E3779B97F4A7C15L + 0x5DEECE66DL;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    static long key(long bits) {
        long uniform = bits & 0xFFFFF;
        return (((uniform * uniform) >>> 20) * KEYS) >>> 20;
    }

    static long value(long bits) {
        return bits >>> 48;
    }

    static long timestamp(long i, long bits) {
        long onTime = START + i / EVENTS_PER_MILLI;
        if (((bits >>> 36) & 0x3FF) == 0 && i >= FIRST_STRAGGLER) {
            return onTime - STRAGGLER_MIN_MILLIS - ((((bits >>> 46) & 0x3FFF) * STRAGGLER_SPREAD_MILLIS) >>> 14);
        }
        return onTime - ((((bits >>> 20) & 0xFFFF) * (BOUND_MILLIS + 1)) >>> 16);
    }

    static Event event(long i) {
        long bits = bits(i);
        return new Event(key(bits), value(bits), timestamp(i, bits));
    }

    /** The first {@code count} events, made as they are asked for. */
    static Iterable<Event> events(long count) {
        return () -> new Iterator<>() {
            private long next;

            @Override
            public boolean hasNext() {
                return next < count;
            }

            @Override
            public Event next() {
                if (next >= count) {
                    throw new NoSuchElementException("there are " + count + " events");
                }
                return event(next++);
            }
        };
    }
}
