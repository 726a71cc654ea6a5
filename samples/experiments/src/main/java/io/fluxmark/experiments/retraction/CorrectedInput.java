package io.fluxmark.experiments.retraction;

import io.fluxmark.experiments.measure.Arrival;
import io.fluxmark.experiments.measure.Playback;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Events by key and minute, in order of arrival. Those that are not late come in at once; the late ones one to five minutes
 * after the end of their minute. The last ten minutes are there to let the clock go on: none of their events is late, and
 * they are not judged.
 */
final class CorrectedInput {

    static final long MINUTE = 60_000;

    /** The size of the second stage's windows: as many minutes of every key make a total. */
    static final long TOTAL = 10 * MINUTE;

    private static final long LATE_FROM = MINUTE;
    private static final long LATE_SPREAD = 4 * MINUTE;
    private static final long SEED = 14;

    private CorrectedInput() {}

    /** @param judgedMinutes a multiple of ten */
    static List<Arrival> of(Corrections setting, int keys, int judgedMinutes) {
        SplittableRandom random = new SplittableRandom(SEED);
        List<Arrival> arrivals = new ArrayList<>();
        for (long minute = 0; minute < judgedMinutes + TOTAL / MINUTE; minute++) {
            for (int key = 0; key < keys; key++) {
                int events = setting.next(random);
                for (int i = 0; i < events; i++) {
                    long event = Playback.START + minute * MINUTE + random.nextLong(MINUTE);
                    boolean late = random.nextDouble() < setting.late() && minute < judgedMinutes;
                    arrivals.add(new Arrival("k" + key, event, late ? lateArrival(minute, random) : event));
                }
            }
        }
        arrivals.sort(Comparator.comparingLong(Arrival::arrivalMillis));
        return arrivals;
    }

    private static long lateArrival(long minute, SplittableRandom random) {
        return Playback.START + (minute + 1) * MINUTE + LATE_FROM + random.nextLong(LATE_SPREAD);
    }
}
