package io.fluxmark.windows;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One window in the state of its key. A plain mutable cell, so that an event that only extends it costs no allocation;
 * confined to the lane.
 */
class LiveWindow<A> {

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

    /** Null only where there is no window: {@link LiveWindows#isEmpty}. */
    @Nullable
    A accumulator;

    /** What the receiver holds, by start, where results come early; else empty, for the accumulator tells it. */
    List<Emitted> emitted = List.of();

    /** Its neighbours among the windows of its key. */
    @Nullable
    LiveWindow<A> older;

    @Nullable
    LiveWindow<A> newer;

    LiveWindow(long start, long end, long last, @Nullable A accumulator) {
        this.start = start;
        this.end = end;
        this.last = last;
        this.accumulator = accumulator;
    }

    final A accumulator() {
        return Objects.requireNonNull(accumulator, "accumulator");
    }

    /** Takes over all that {@code other} is but its neighbours. */
    final void become(LiveWindow<A> other) {
        start = other.start;
        end = other.end;
        last = other.last;
        count = other.count;
        late = other.late;
        revision = other.revision;
        accumulator = other.accumulator;
        emitted = other.emitted;
    }
}
