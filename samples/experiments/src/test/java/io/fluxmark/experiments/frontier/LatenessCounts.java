package io.fluxmark.experiments.frontier;

import io.fluxmark.experiments.measure.Arrival;
import java.util.TreeMap;

/** How far each event of an input is behind the largest time before it: the delay that it would have needed. */
final class LatenessCounts {

    private final TreeMap<Long, Long> counts = new TreeMap<>();
    private long events;

    private LatenessCounts() {}

    static LatenessCounts of(Input input, long step) {
        LatenessCounts all = new LatenessCounts();
        long[] few = new long[1 << 16];
        long largest = Long.MIN_VALUE;
        for (Arrival arrival : input.arrivals()) {
            largest = Math.max(largest, arrival.eventMillis());
            long late = largest - arrival.eventMillis();
            int place = (int) Math.min(few.length, late / step);
            if (place < few.length) {
                few[place]++;
            } else {
                all.counts.merge(late, 1L, Long::sum);
            }
            all.events++;
        }
        for (int place = 0; place < few.length; place++) {
            if (few[place] > 0) {
                all.counts.put(place * step, few[place]);
            }
        }
        return all;
    }

    /** The smallest delay with which at least that share of the events is in time, ms. */
    long delayFor(double share) {
        long wanted = (long) Math.ceil(share * events);
        long inTime = 0;
        for (var each : counts.entrySet()) {
            inTime += each.getValue();
            if (inTime >= wanted) {
                return each.getKey();
            }
        }
        throw new IllegalArgumentException("there are no events");
    }
}
