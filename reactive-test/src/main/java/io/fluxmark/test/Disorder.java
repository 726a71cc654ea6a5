package io.fluxmark.test;

import io.fluxmark.windows.TimestampFunction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Random;

/**
 * In which order events arrive. The same disorder and events give the same arrivals, so a failure is repeated by the
 * seed in its message. Immutable.
 */
public final class Disorder {

    private final String name;
    private final Rearrangement rearrangement;

    private Disorder(String name, Rearrangement rearrangement) {
        this.name = name;
        this.rearrangement = rearrangement;
    }

    /** The order given. */
    public static Disorder none() {
        return new Disorder("none()", Disorder::keep);
    }

    /** The opposite of the order given. */
    public static Disorder reversed() {
        return new Disorder("reversed()", Disorder::reverse);
    }

    /** Any order. */
    public static Disorder random(long seed) {
        return new Disorder("random(" + seed + ")", new Shuffle(seed));
    }

    /**
     * The order of event time, disturbed: no event arrives after another one whose timestamp is more than {@code bound}
     * larger. A pipeline with at least that out-of-orderness bound finds none of them late.
     *
     * @param bound at least 0, in whole milliseconds
     */
    public static Disorder shuffledWithin(Duration bound, long seed) {
        if (bound.isNegative()) {
            throw new IllegalArgumentException("a bound of disorder is at least 0 but was " + bound);
        }
        return new Disorder("shuffledWithin(" + bound + ", " + seed + ")", new BoundedShuffle(bound.toMillis(), seed));
    }

    /** The events as they arrive; {@code events} is left as it is. Every event needs a timestamp. */
    public <T> List<T> apply(List<? extends T> events, TimestampFunction<? super T> time) {
        return rearrangement.apply(events, time);
    }

    @Override
    public String toString() {
        return "Disorder." + name;
    }

    private interface Rearrangement {
        <T> List<T> apply(List<? extends T> events, TimestampFunction<? super T> time);
    }

    private static <T> List<T> keep(List<? extends T> events, TimestampFunction<? super T> time) {
        return List.copyOf(events);
    }

    private static <T> List<T> reverse(List<? extends T> events, TimestampFunction<? super T> time) {
        List<T> arrivals = new ArrayList<>(events);
        Collections.reverse(arrivals);
        return arrivals;
    }

    private record Shuffle(long seed) implements Rearrangement {

        @Override
        public <T> List<T> apply(List<? extends T> events, TimestampFunction<? super T> time) {
            List<T> arrivals = new ArrayList<>(events);
            Collections.shuffle(arrivals, new Random(seed));
            return arrivals;
        }
    }

    /** Each event is delayed by up to the bound; the one that overtakes it can't be further ahead than that. */
    private record BoundedShuffle(long bound, long seed) implements Rearrangement {

        @Override
        public <T> List<T> apply(List<? extends T> events, TimestampFunction<? super T> time) {
            Random random = new Random(seed);
            List<Delayed<T>> delayed = new ArrayList<>(events.size());
            for (T event : events) {
                Objects.requireNonNull(event, "event");
                delayed.add(new Delayed<>(event, time.epochMillis(event) + random.nextLong(bound + 1)));
            }
            delayed.sort(Comparator.comparingLong(Delayed::arrival));
            List<T> arrivals = new ArrayList<>(delayed.size());
            delayed.forEach(each -> arrivals.add(each.event()));
            return arrivals;
        }
    }

    private record Delayed<T>(T event, long arrival) {}
}
