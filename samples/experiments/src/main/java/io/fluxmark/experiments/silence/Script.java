package io.fluxmark.experiments.silence;

import io.fluxmark.experiments.measure.Playback;
import java.util.ArrayList;
import java.util.List;

/**
 * When which partition has an event. Partitions take turns, each with so many events a second; an event comes in at the
 * moment it happens. The last partition falls silent after its event at or before {@code silentAt}.
 *
 * @param perSecond events of each partition, a divisor of 125
 * @param silentAt after the start, ms
 * @param silenceMillis for how long nothing of the last partition comes in
 * @param backlog whether it goes on having events in its silence, which come in all at once at the end of it
 */
record Script(int perSecond, long silentAt, long silenceMillis, boolean backlog) {

    static final int PARTITIONS = 8;
    static final int KEYS = 20;

    /** The last partition. */
    static final int SILENT = PARTITIONS - 1;

    private static final long SECOND = 1_000;

    /** How much there is after the silence. */
    private static final long AFTER = 60 * SECOND;

    /** Takes the events. */
    interface Receiver {

        /** At {@code millis} an event comes in. */
        void event(long millis, Reading reading);
    }

    /** The last event of the silent partition before its silence, epoch ms. */
    long lastHeard() {
        long step = SECOND / perSecond;
        long offset = SILENT * step / PARTITIONS;
        return Playback.START + (silentAt - offset) / step * step + offset;
    }

    /** The end of the silence, epoch ms. */
    long heardAgain() {
        return lastHeard() + silenceMillis;
    }

    /** Hands out the events of {@code partitions} partitions, from the first one on, in the order in which they come in. */
    void play(int partitions, Receiver receiver) {
        List<Reading> waiting = new ArrayList<>();
        long step = SECOND / perSecond;
        long end = heardAgain() + AFTER;
        for (long turn = Playback.START; turn < end; turn += step) {
            for (int partition = 0; partition < partitions; partition++) {
                long time = turn + partition * step / PARTITIONS;
                Reading reading = new Reading(partition, (int) (turn / step % KEYS), time);
                if (!waiting.isEmpty() && time >= heardAgain()) {
                    waiting.forEach(late -> receiver.event(heardAgain(), late));
                    waiting.clear();
                }
                if (partition != SILENT || time <= lastHeard() || time >= heardAgain()) {
                    receiver.event(time, reading);
                } else if (backlog) {
                    waiting.add(reading);
                }
            }
        }
    }

    /** How many events come in late because of the silence. */
    long backlogEvents() {
        long[] count = new long[1];
        play(PARTITIONS, (millis, reading) -> count[0] += reading.eventMillis() < millis ? 1 : 0);
        return count[0];
    }
}
