package io.fluxmark.windows;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The sessions that one event joins, taken in by start, on their way to become one. */
final class SessionMerge<A> {

    private final Aggregation<?, A, ?> aggregation;
    private final KeyedEmission<?, A, ?> emission;
    private @Nullable LiveWindow<A> first;
    private @Nullable LiveWindow<A> last;
    private @Nullable A accumulator;
    private long latest = Long.MIN_VALUE;
    private long events;
    private long late;

    /** How many they are, and how many of them have not fired. */
    int sessions;

    int open;

    /** The number of events in the largest. */
    long mostEvents;

    /** What the receiver holds of them, by start; of those that have fired; and of the others. */
    List<Emitted> held = List.of();

    List<Emitted> heldOfFired = List.of();
    private List<Emitted> heldOfOpen = List.of();

    SessionMerge(Aggregation<?, A, ?> aggregation, KeyedEmission<?, A, ?> emission) {
        this.aggregation = aggregation;
        this.emission = emission;
    }

    void take(LiveWindow<A> session, boolean fired) {
        // Before the accumulator takes in another's: it tells what was emitted.
        List<Emitted> ofSession = fired ? emission.held(session) : session.emitted;
        held = joined(held, ofSession);
        if (fired) {
            heldOfFired = joined(heldOfFired, ofSession);
        } else {
            heldOfOpen = joined(heldOfOpen, ofSession);
            open++;
        }
        if (!fired || emission.accumulates()) {
            A own = session.accumulator();
            accumulator = accumulator == null ? own : aggregation.merge(accumulator, own);
        }
        first = first == null ? session : first;
        last = session;
        sessions++;
        events += session.count;
        late += session.late;
        latest = Math.max(latest, session.last);
        mostEvents = Math.max(mostEvents, session.count);
    }

    private static List<Emitted> joined(List<Emitted> some, List<Emitted> more) {
        if (some.isEmpty() || more.isEmpty()) {
            return some.isEmpty() ? more : some;
        }
        List<Emitted> all = new ArrayList<>(some);
        all.addAll(more);
        return all;
    }

    /** Makes them one, with the span {@code [timestamp, end)} of an event that is not in it yet. */
    LiveWindow<A> into(LiveWindows<?, A> all, long timestamp, long end) {
        A begun = accumulator == null ? aggregation.create() : accumulator;
        LiveWindow<A> oldest = first;
        if (oldest == null) {
            return all.insert(all.lastBefore(timestamp), new LiveWindow<>(timestamp, end, timestamp, begun));
        }
        LiveWindow<A> newest = Objects.requireNonNull(last, "last");
        LiveWindow<A> merged = new LiveWindow<>(
                Math.min(timestamp, oldest.start), Math.max(end, newest.end), Math.max(timestamp, latest), begun);
        merged.count = events;
        merged.late = late;
        if (merged.start == oldest.start && merged.end == oldest.end) {
            merged.revision = open == 0 ? emission.revision(oldest) : oldest.revision;
        }
        merged.emitted = heldOfOpen;
        return all.replace(oldest, newest, merged);
    }
}
