package io.fluxmark.windows;

import java.time.Duration;

/**
 * When a window that is still open shows what is in it (S40). An early result never ends a window, and whatever the
 * demand, there is at most one waiting for it: the newest (S41). Immutable.
 */
public final class Early {

    private final long everyMillis;
    private final long everyCount;

    private Early(long everyMillis, long everyCount) {
        this.everyMillis = everyMillis;
        this.everyCount = everyCount;
    }

    /**
     * At every multiple of {@code interval} on the lane's clock: for each window and key that has changed since its last
     * emission, the value at the moment of emission. How many there are depends on the clock; what they fold to does not.
     *
     * @param interval at least 1 ms
     */
    public static Early every(Duration interval) {
        long millis = WindowSpec.millis(interval, "interval of early results");
        if (millis < 1) {
            throw new IllegalArgumentException("an interval of early results is at least 1 ms but was " + interval);
        }
        return new Early(millis, 0);
    }

    /**
     * Whenever the number of events of a window and key has grown to a multiple of {@code events}, at least 1. Given the
     * order of the events of a key this is deterministic.
     */
    public static Early everyCount(long events) {
        if (events < 1) {
            throw new IllegalArgumentException("early results come every 1 or more events but it was " + events);
        }
        return new Early(0, events);
    }

    /** The interval in ms; 0 where the count decides. */
    public long everyMillis() {
        return everyMillis;
    }

    /** The number of events; 0 where the interval decides. */
    public long everyCount() {
        return everyCount;
    }

    @Override
    public String toString() {
        return everyCount > 0
                ? everyCount + " events"
                : Duration.ofMillis(everyMillis).toString();
    }
}
