package io.fluxmark.aggregate.frontier;

import io.fluxmark.aggregate.WindowText;
import io.fluxmark.aggregate.check.TrueWindows;
import io.fluxmark.aggregate.run.Event;
import io.fluxmark.windows.EventBatch;
import io.fluxmark.windows.StreamElement;
import io.fluxmark.windows.TimeWindow;

/**
 * How late events are: behind the largest event time before them, and for their windows. The second is the smallest delay
 * at which the event is still counted when its window first fires: a window {@code [s, e)} fires at a largest event time of
 * {@code e + delay}, so it takes an event as long as that is not reached.
 */
final class Lateness {

    private final TrueWindows windows;
    private final boolean sessions;
    private final Distribution behind = new Distribution();
    private final Distribution needed = new Distribution();
    private long largest = Long.MIN_VALUE;

    Lateness(WindowText windows) {
        this.windows = new TrueWindows(windows);
        this.sessions = !windows.spec().hasFixedWindows();
    }

    void timed(StreamElement<Event> element) {
        if (element instanceof EventBatch<Event> run) {
            for (int i = 0; i < run.size(); i++) {
                add(run.timestamp(i));
            }
        }
    }

    private void add(long timestamp) {
        boolean first = largest == Long.MIN_VALUE;
        behind.add(first ? 0 : Math.max(0, largest - timestamp));
        if (sessions) {
            needed.add(first ? 0 : Math.max(0, largest - timestamp));
        } else {
            for (TimeWindow window : windows.of(timestamp)) {
                needed.add(first ? 0 : Math.max(0, largest - window.end() + 1));
            }
        }
        largest = Math.max(largest, timestamp);
    }

    /** Of each event, how far it is behind the largest event time before it, ms. */
    Distribution behind() {
        return behind;
    }

    /** Of each event and window of it, the smallest delay that is enough, ms. */
    Distribution needed() {
        return needed;
    }
}
