package io.fluxmark.aggregate.frontier;

import io.fluxmark.aggregate.run.Event;
import io.fluxmark.windows.EventBatch;
import io.fluxmark.windows.StreamElement;

/** What the time of an emission is: the arrival clock, or the largest event time so far where there are no arrivals. */
final class EventClock {

    private final boolean arrivals;
    private long largest = Long.MIN_VALUE;

    EventClock(boolean arrivals) {
        this.arrivals = arrivals;
    }

    void timed(StreamElement<Event> element) {
        if (!arrivals && element instanceof EventBatch<Event> run) {
            for (int i = 0; i < run.size(); i++) {
                largest = Math.max(largest, run.timestamp(i));
            }
        }
    }

    /** The time of an emission at which the arrival clock stands at {@code at}. */
    long emission(long at) {
        return arrivals ? at : largest;
    }
}
