package io.fluxmark.windows;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Sessions (S16): events of a key belong together where the spans that they keep open, each from its timestamp for a gap,
 * overlap; spans that only touch do not (S17). A session is what its events have in common, whatever the order in which
 * they come: an event that lies between two sessions joins them.
 *
 * <p>The event is judged, not its span: it is late when it is at or before the watermark less the allowed lateness (S20).
 * A session is kept for just as long as an event that is not late can touch it.
 */
class SessionWindows<T, K, A, R> extends KeyWindows<T, K, A, R> {

    private final long longestGap;
    private final @Nullable ToLongFunction<? super T> gap;
    private final long lateness;

    SessionWindows(
            WindowDefinition<T, K, A, R> definition,
            LaneContext lane,
            LiveCounters counters,
            WindowResults<K, R> results) {
        super(definition, lane, counters, results, definition.windows().sizeMillis(), ArrayList::new);
        this.longestGap = windows.sizeMillis();
        this.gap = definition.gap();
        this.lateness = windows.allowedLatenessMillis();
    }

    @Override
    final long closing(LiveWindow<A> window) {
        return Watermark.closing(window.end);
    }

    /** As its super method does, with what most events are in the loop itself. */
    @Override
    final int addSome(EventBatch<T> run, int from, int to) {
        int i = from;
        while (i < to && passTo(run.watermarkBefore(i)) && !results.isFull()) {
            at = i;
            if (!extendKnown(run, i)) {
                add(run, i);
            }
            i++;
        }
        return i;
    }

    /** Adds what most events are, and does nothing with others: in time, in the newest session of a key, which is open. */
    private boolean extendKnown(EventBatch<T> run, int i) {
        LiveWindows<K, A> known = found(i);
        long timestamp = run.timestamp(i);
        if (known == null || gap != null || run.signs != null || isFull() || !takes(known, timestamp)) {
            return false;
        }
        long end = timestamp + longestGap;
        if (end < timestamp || isLate(timestamp, end)) {
            return false;
        }
        extend(known, run.value(i), timestamp, end);
        return true;
    }

    @Override
    final void add(EventBatch<T> run, int i) {
        T event = run.value(i);
        long timestamp = run.timestamp(i);
        int sign = run.sign(i);
        requireAddition(event, sign);
        long end = endOf(event, timestamp);
        if (isLate(timestamp, end)) {
            reject(event, timestamp, List.of(new TimeWindow(timestamp, end)));
            return;
        }
        K key = key(event);
        if (isFull() && firstJoined(state.find(key), timestamp, end) == null && !makeRoom()) {
            reject(event, timestamp, List.of(new TimeWindow(timestamp, end)));
            return;
        }
        LiveWindows<K, A> sessions = state.update(key);
        if (takes(sessions, timestamp)) {
            extend(sessions, event, timestamp, end);
        } else if (sessions.isEmpty() && !Watermark.closes(results.watermark, end)) {
            begin(event, key, sessions, timestamp, end);
        } else {
            join(event, key, sessions, timestamp, end);
        }
    }

    /** Whether an event lies in the newest of {@code sessions} and changes nothing but that, with nothing to show. */
    private boolean takes(LiveWindows<K, A> sessions, long timestamp) {
        return sessions.start <= timestamp && timestamp < sessions.end && !sessions.isEmpty() && !shows(sessions);
    }

    private void extend(LiveWindows<K, A> sessions, T event, long timestamp, long end) {
        sessions.end = Math.max(sessions.end, end);
        addTo(sessions, event, timestamp);
        countOnTime();
    }

    /** Whether a change of {@code session} has to be shown. */
    private boolean shows(LiveWindow<A> session) {
        return early != null || hasFired(session);
    }

    private long endOf(T event, long timestamp) {
        long millis = longestGap;
        if (gap != null) {
            millis = gap.applyAsLong(event);
            if (millis < 1 || millis > longestGap) {
                throw new IllegalArgumentException("the gap of an event is 1 to " + longestGap
                        + " ms, the gap of its definition, but " + event + " has " + millis
                        + " ms: give it one in that range, or the definition a longer one");
            }
        }
        long end = timestamp + millis;
        return end < timestamp ? Long.MAX_VALUE : end;
    }

    /** Whether an event that keeps {@code [timestamp, end)} open is late (S20). */
    boolean isLate(long timestamp, long end) {
        return Watermark.isLate(Watermark.before(results.watermark, lateness), timestamp);
    }

    /** Whether {@code session} and the span of an event belong together (S17). */
    boolean overlaps(LiveWindow<A> session, long timestamp, long end) {
        return timestamp < session.end && session.start < end;
    }

    private @Nullable LiveWindow<A> firstJoined(@Nullable LiveWindows<K, A> sessions, long timestamp, long end) {
        LiveWindow<A> first = null;
        LiveWindow<A> session = sessions == null ? null : sessions.newest();
        for (; session != null && session.end >= timestamp; session = session.older) {
            if (overlaps(session, timestamp, end)) {
                first = session;
            }
        }
        return first;
    }

    /** Adds the first event of a key. */
    private void begin(T event, K key, LiveWindows<K, A> sessions, long timestamp, long end) {
        lane.checkKey(key);
        addTo(sessions.begin(timestamp, end, aggregation.create()), event, timestamp);
        state.live++;
        state.open++;
        countOnTime();
        noteEarly(sessions, sessions, 0);
        fileBefore(Watermark.END, sessions);
    }

    /** Adds an event that may begin a session, join several, or come to one that has fired. */
    private void join(T event, K key, LiveWindows<K, A> sessions, long timestamp, long end) {
        long bound = lowerBound(sessions);
        if (sessions.isEmpty()) {
            lane.checkKey(key);
        }
        LiveWindow<A> part = firstJoined(sessions, timestamp, end);
        SessionMerge<A> merge = new SessionMerge<>(aggregation, emission);
        for (; part != null && overlaps(part, timestamp, end); part = part.newer) {
            merge.take(part, hasFired(part));
        }
        LiveWindow<A> session = merge.into(sessions, timestamp, end);
        addTo(session, event, timestamp);
        settle(key, sessions, session, merge);
        fileBefore(bound, sessions);
    }

    /** Emits and counts what an event has brought about. */
    private void settle(K key, LiveWindows<K, A> sessions, LiveWindow<A> session, SessionMerge<A> merge) {
        boolean closed = hasFired(session);
        state.live += 1 - merge.sessions;
        state.open += (closed ? 0 : 1) - merge.open;
        if (merge.sessions > 1) {
            counters.add(Counter.MERGES, merge.sessions - 1L);
        }
        if (closed || merge.sessions > merge.open) {
            session.late++;
            countAccepted(1, 0, true);
        } else {
            countOnTime();
        }
        if (closed) {
            correct(key, session, merge.held);
        } else {
            emission.takeBack(key, merge.heldOfFired);
            noteEarly(sessions, session, merge.mostEvents);
        }
    }

    /** Emits a session that the watermark has closed, of whose parts the receiver holds {@code held}, by start. */
    void correct(K key, LiveWindow<A> session, List<Emitted> held) {
        emission.late(key, session, held);
    }
}
