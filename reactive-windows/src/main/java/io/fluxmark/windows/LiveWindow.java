package io.fluxmark.windows;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One window in the state of its key. A plain mutable cell, so that an event that only extends it costs no allocation;
 * confined to the lane.
 */
final class LiveWindow<A> {

    /** The first instant; of a session and of a count window the smallest timestamp in it. */
    long start;

    /** The first instant behind it. */
    long end;

    /** The largest timestamp that has touched it. */
    long last;

    /** The number of events in it. */
    long count;

    /** Events that came after it, or a window that it has taken in, had fired. */
    long late;

    /** The revision of the newest emission within the present bounds, -1 while there is none. */
    int revision = -1;

    A accumulator;

    /** What the receiver holds, by start, where results come early; else empty, for the accumulator tells it. */
    List<Emitted> emitted = List.of();

    /** Its neighbours in the list of its key. */
    @Nullable
    LiveWindow<A> older;

    @Nullable
    LiveWindow<A> newer;

    LiveWindow(long start, long end, long last, A accumulator) {
        this.start = start;
        this.end = end;
        this.last = last;
        this.accumulator = accumulator;
    }
}
