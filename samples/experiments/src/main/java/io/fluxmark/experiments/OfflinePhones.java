package io.fluxmark.experiments;

import io.fluxmark.experiments.measure.Playback;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Readings of a week. A share of them is taken offline, in the evening (18:00 to midnight), and comes in the next
 * morning (06:00 to 09:00); the others are taken at any time up to 23:59 and come in within two seconds.
 */
final class OfflinePhones {

    private static final long SECOND = 1_000;
    private static final long HOUR = 3_600 * SECOND;
    private static final long DAY = 24 * HOUR;
    private static final int DAYS = 7;

    private OfflinePhones() {}

    /** {@code count} readings in order of arrival; exactly {@code round(share * count)} of them offline. */
    static List<PhoneReading> week(int count, double share, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        long offline = Math.round(share * count);
        List<PhoneReading> readings = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            long day = Playback.START + random.nextInt(DAYS) * DAY;
            if (i < offline) {
                readings.add(new PhoneReading(
                        day + 18 * HOUR + random.nextLong(6 * HOUR), day + DAY + 6 * HOUR + random.nextLong(3 * HOUR)));
            } else {
                long taken = day + random.nextLong(DAY - 60 * SECOND);
                readings.add(new PhoneReading(taken, taken + random.nextLong(2 * SECOND)));
            }
        }
        readings.sort(
                Comparator.comparingLong(PhoneReading::syncedMillis).thenComparingLong(PhoneReading::takenMillis));
        return readings;
    }
}
