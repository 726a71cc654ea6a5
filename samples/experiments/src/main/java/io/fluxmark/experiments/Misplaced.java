package io.fluxmark.experiments;

import io.fluxmark.quickstart.plain.Flight;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * One day (UTC), as the arrival clock sees it.
 *
 * @param dayMillis start of the day, epoch ms
 * @param departures flights of that day: what is true
 * @param arrived records that came in on that day: what the arrival clock counts
 * @param left flights of that day whose record came in on another day
 * @param strangers records of that day whose flight belongs to another day
 */
record Misplaced(long dayMillis, long departures, long arrived, long left, long strangers) {

    private static final long DAY = 86_400_000;

    /** Every day on which something departed, in order. */
    static List<Misplaced> perDay(List<Flight> flights) {
        TreeMap<Long, long[]> days = new TreeMap<>();
        for (Flight flight : flights) {
            long event = Math.floorDiv(flight.eventMillis(), DAY);
            long arrival = Math.floorDiv(flight.arrivalMillis(), DAY);
            long[] own = days.computeIfAbsent(event, d -> new long[4]);
            long[] other = days.computeIfAbsent(arrival, d -> new long[4]);
            own[0]++;
            other[1]++;
            if (event != arrival) {
                own[2]++;
                other[3]++;
            }
        }
        List<Misplaced> result = new ArrayList<>();
        days.forEach((day, n) -> {
            if (n[0] > 0) {
                result.add(new Misplaced(day * DAY, n[0], n[1], n[2], n[3]));
            }
        });
        return result;
    }

    /** The day's total on the arrival clock less the true one, as a share of the true one. */
    double bias() {
        return (double) (arrived - departures) / departures;
    }

    /** Share of the day's flights that stand on another day. */
    double leftShare() {
        return (double) left / departures;
    }
}
