package io.fluxmark.test;

import io.fluxmark.windows.Counter;
import io.fluxmark.windows.TimeWindow;
import io.fluxmark.windows.WindowResult;
import io.fluxmark.windows.WindowResult.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Sessions. The event is judged, not the span that it keeps open: it is late at or before the watermark less the lateness
 * (S20). No session is ever forgotten here: none that an event still touches may have been.
 */
final class SessionLoop<T, K, A, R> extends WindowLoop<T, K, A, R> {

    private final List<PlainPane<T, K, R>> sessions = new ArrayList<>();

    SessionLoop(WindowedPipeline<T, K, A, R> pipeline, Expectation<T, K, R> expectation) {
        super(pipeline, expectation);
    }

    private long gap(T event) {
        ToLongFunction<? super T> gap = pipeline.gap();
        return gap == null ? windows.sizeMillis() : gap.applyAsLong(event);
    }

    @Override
    void add(T event, long timestamp) {
        TimeWindow span = new TimeWindow(timestamp, timestamp + gap(event));
        if (watermark != Long.MIN_VALUE && timestamp <= watermark - windows.allowedLatenessMillis()) {
            reject(event, timestamp, List.of(span));
            return;
        }
        K key = key(event);
        List<PlainPane<T, K, R>> joined = sessions.stream()
                .filter(session -> session.key.equals(key) && overlap(session.window, span))
                .sorted(Comparator.comparingLong(session -> session.window.start()))
                .toList();
        sessions.removeAll(joined);
        PlainPane<T, K, R> session = join(key, span, joined);
        session.add(event);
        sessions.add(session);
        boolean late = session.fired || joined.stream().anyMatch(each -> each.fired);
        session.late += late ? 1 : 0;
        expectation.accepted(event);
        expectation.count(Counter.ACCEPTED_ASSIGNMENTS, 1);
        expectation.count(late ? Counter.REFIRED : Counter.ON_TIME, 1);
        expectation.count(Counter.MERGES, Math.max(0, joined.size() - 1));
        tell(session, joined);
    }

    /** Spans that only touch do not belong together (S17). */
    static boolean overlap(TimeWindow one, TimeWindow other) {
        return one.start() < other.end() && other.start() < one.end();
    }

    private PlainPane<T, K, R> join(K key, TimeWindow span, List<PlainPane<T, K, R>> joined) {
        long start = span.start();
        long end = span.end();
        for (PlainPane<T, K, R> each : joined) {
            start = Math.min(start, each.window.start());
            end = Math.max(end, each.window.end());
        }
        PlainPane<T, K, R> session = new PlainPane<>(key, new TimeWindow(start, end));
        session.fired = closes(session.window);
        joined.forEach(session::add);
        if (!joined.isEmpty() && joined.get(0).window.equals(session.window)) {
            session.revision = joined.get(0).revision;
        }
        return session;
    }

    /** What is complete is emitted at once; of what is not, the fired parts are taken back (S18, S19). */
    private void tell(PlainPane<T, K, R> session, List<PlainPane<T, K, R>> joined) {
        List<WindowResult<K, R>> ofFired = new ArrayList<>();
        for (PlainPane<T, K, R> each : joined) {
            (each.fired && !session.fired ? ofFired : session.held).addAll(each.held);
        }
        if (session.fired) {
            emit(session, Kind.LATE);
            return;
        }
        takeBack(ofFired);
        int before = joined.stream().mapToInt(each -> each.events.size()).max().orElse(0);
        if (isDueEarly(session, before)) {
            emit(session, Kind.EARLY);
        }
    }

    /** What is due first comes first; an early result is brought up to date at the end of what it was given for. */
    @Override
    void fire() {
        for (long at = nextDue(); at <= watermark && !sessions.isEmpty(); at = nextDue()) {
            long now = at;
            List<PlainPane<T, K, R>> due = sessions.stream()
                    .filter(session -> !session.fired && due(session) == now)
                    .sorted(inOrder())
                    .toList();
            if (due.isEmpty()) {
                return;
            }
            for (PlainPane<T, K, R> session : due) {
                session.fired = session.window.end() - 1 == at;
                emit(session, session.fired ? Kind.ON_TIME : Kind.EARLY);
            }
        }
    }

    private long nextDue() {
        return sessions.stream()
                .filter(session -> !session.fired)
                .mapToLong(this::due)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    private long due(PlainPane<T, K, R> session) {
        return session.held.stream()
                .mapToLong(each -> each.window().end() - 1)
                .reduce(session.window.end() - 1, Math::min);
    }
}
