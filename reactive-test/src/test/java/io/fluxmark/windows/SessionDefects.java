package io.fluxmark.windows;

import java.util.List;
import java.util.function.Function;
import reactor.core.publisher.Flux;

/** Session windows with one defect each. In this package, for what is wrong is inside the operator. */
public final class SessionDefects {

    private SessionDefects() {}

    /** What is wrong with the sessions. */
    public enum Defect {
        /** Sessions that only touch are one. */
        TOUCHING_MERGE,
        /** The span that an event keeps open is judged, and not the event. */
        SPAN_JUDGED,
        /** Of several fired sessions that an event joins only the oldest is taken back. */
        ONE_TAKEN_BACK
    }

    /** Sums by key and session, wrongly. */
    public static <T, K, A, R> Function<Flux<StreamElement<T>>, Flux<StreamElement<WindowResult<K, R>>>> sessions(
            Defect defect,
            Function<? super T, ? extends K> key,
            WindowSpec windows,
            Aggregation<? super T, A, R> aggregation,
            LaneContext lane) {
        WindowDefinition<T, K, A, R> definition =
                new WindowDefinition<>("window", key, KeyCodec.tagged(), windows, aggregation, null, null);
        return source -> Windows.aggregate(
                source, definition, lane, (d, l, counters, results) -> new Wrong<>(defect, d, l, counters, results));
    }

    private static final class Wrong<T, K, A, R> extends SessionWindows<T, K, A, R> {

        private final Defect defect;

        Wrong(
                Defect defect,
                WindowDefinition<T, K, A, R> definition,
                LaneContext lane,
                LiveCounters counters,
                WindowResults<K, R> results) {
            super(definition, lane, counters, results);
            this.defect = defect;
        }

        @Override
        boolean isLate(long timestamp, long end) {
            return defect == Defect.SPAN_JUDGED
                    ? Watermark.expires(results.watermark, end, windows.allowedLatenessMillis())
                    : super.isLate(timestamp, end);
        }

        @Override
        boolean overlaps(LiveWindow<A> session, long timestamp, long end) {
            return defect == Defect.TOUCHING_MERGE
                    ? timestamp <= session.end && session.start <= end
                    : super.overlaps(session, timestamp, end);
        }

        @Override
        void correct(K key, LiveWindow<A> session, List<Emitted> held) {
            boolean forgets = defect == Defect.ONE_TAKEN_BACK && held.size() > 1;
            super.correct(key, session, forgets ? held.subList(0, 1) : held);
        }
    }
}
