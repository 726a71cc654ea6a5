package io.fluxmark.experiments.frontier;

import io.fluxmark.experiments.measure.Arrival;
import io.fluxmark.experiments.measure.Playback;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.SplittableRandom;

/** Events at equal distances, delayed by a law, in order of arrival. An event is held as one number: runs are long. */
final class SyntheticArrivals implements Iterable<Arrival> {

    private static final String KEY = "all";

    /** Arrival and event, each in ms after the start, with the arrival in the upper half: sorted by arrival. */
    private final long[] events;

    private SyntheticArrivals(long[] events) {
        this.events = events;
    }

    /**
     * Events of the first {@code spanMillis}.
     *
     * @param perSecond 1 to 1,000, a divisor of 1,000
     */
    static SyntheticArrivals of(LatenessLaw law, long spanMillis, int perSecond, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        long distance = 1_000 / perSecond;
        long[] events = new long[Math.toIntExact(spanMillis / distance)];
        for (int i = 0; i < events.length; i++) {
            long event = i * distance;
            events[i] = (event + law.nextMillis(random)) << Integer.SIZE | event;
        }
        Arrays.sort(events);
        return new SyntheticArrivals(events);
    }

    int size() {
        return events.length;
    }

    @Override
    public Iterator<Arrival> iterator() {
        return new Iterator<>() {
            private int next;

            @Override
            public boolean hasNext() {
                return next < events.length;
            }

            @Override
            public Arrival next() {
                if (!hasNext()) {
                    throw new NoSuchElementException("there are " + events.length + " events");
                }
                long packed = events[next++];
                return new Arrival(KEY, Playback.START + (int) packed, Playback.START + (packed >>> Integer.SIZE));
            }
        };
    }
}
