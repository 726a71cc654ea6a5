package io.fluxmark.experiments;

/**
 * A reading that a phone took and sent, at once or when it was online again.
 *
 * @param takenMillis when it was taken, epoch ms
 * @param syncedMillis when it came in, epoch ms
 */
record PhoneReading(long takenMillis, long syncedMillis) {

    private static final long DAY = 86_400_000;

    long day() {
        return Math.floorDiv(takenMillis, DAY);
    }

    long syncDay() {
        return Math.floorDiv(syncedMillis, DAY);
    }
}
