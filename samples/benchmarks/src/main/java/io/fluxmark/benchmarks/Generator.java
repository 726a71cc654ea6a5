package io.fluxmark.benchmarks;

import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * The events of the benchmarks: event {@code i} is a pure function of {@code i}, so that everything measured sees the same
 * events and none are stored.
 *
 * <p>There are 10 events per ms of event time. An event is delayed by 0 to 2,000 ms; one in 1,024, from event 10,000 on,
 * is 30 to 50 s late, which is behind every open window and session.
 */
public final class Generator {

    /** The largest ordinary delay, ms. */
    public static final long BOUND_MILLIS = 2_000;

    private static final long EVENTS_PER_MILLI = 10;
    private static final long START = 1_700_000_000_000L;
    private static final long FIRST_STRAGGLER = 10_000;
    private static final long STRAGGLER_MIN_MILLIS = 30_000;
    private static final long STRAGGLER_SPREAD_MILLIS = 20_000;

    private static final int SKEWED_KEYS = 10_000;
    private static final int COHORTS = 5;
    private static final int COHORT_KEYS = 20_000;
    private static final long COHORT_MILLIS = 15_000;

    private enum Law {
        SKEWED,
        COHORTS,
        UNIFORM
    }

    private final Law law;
    private final long keys;

    private Generator(Law law, long keys) {
        this.law = law;
        this.keys = keys;
    }

    /** 10,000 keys, the small ones more frequent than the large ones. */
    public static Generator skewed() {
        return new Generator(Law.SKEWED, SKEWED_KEYS);
    }

    /** Five groups of 20,000 keys that take turns: a key has an event every 2 s for 15 s, then none for 60 s. */
    static Generator cohorts() {
        return new Generator(Law.COHORTS, (long) COHORTS * COHORT_KEYS);
    }

    /** The given number of keys, all equally frequent. */
    public static Generator uniform(long keys) {
        return new Generator(Law.UNIFORM, keys);
    }

    /** How many keys there are. */
    public long keys() {
        return keys;
    }

    /** The random bits of event {@code i}: splitmix64. Each property reads bits of its own. */
    static long bits(long i) {
        return mix(i * 0x9E3779B97F4A7C15L + 0x5DEECE66DL);
    }

    private static long mix(long seed) {
        long z = seed;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    long key(long i, long bits) {
        long uniform = bits & 0xFFFFF;
        return switch (law) {
            case SKEWED -> (((uniform * uniform) >>> 20) * SKEWED_KEYS) >>> 20;
            case COHORTS ->
                ((uniform * COHORT_KEYS) >>> 20) + COHORT_KEYS * ((i / EVENTS_PER_MILLI / COHORT_MILLIS) % COHORTS);
            case UNIFORM -> ((mix(bits) >>> 32) * keys) >>> 32;
        };
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

    /** Event {@code i}. */
    public Event event(long i) {
        long bits = bits(i);
        return new Event(key(i, bits), value(bits), timestamp(i, bits));
    }

    /** Makes {@code count} events and nothing of them: what every contender pays beside its own work. */
    long alone(long count) {
        long mixed = 0;
        for (long i = 0; i < count; i++) {
            long bits = bits(i);
            mixed += key(i, bits) ^ value(bits) ^ timestamp(i, bits);
        }
        return mixed;
    }

    /** The first {@code count} events, made as they are asked for. */
    public Iterable<Event> events(long count) {
        return events(0, count);
    }

    /** Events {@code from} to {@code to}, exclusive, made as they are asked for. */
    public Iterable<Event> events(long from, long to) {
        return () -> new Iterator<>() {
            private long next = from;

            @Override
            public boolean hasNext() {
                return next < to;
            }

            @Override
            public Event next() {
                if (next >= to) {
                    throw new NoSuchElementException("there are events up to " + to);
                }
                return event(next++);
            }
        };
    }
}
