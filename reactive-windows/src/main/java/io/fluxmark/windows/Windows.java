package io.fluxmark.windows;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * Transformers, for {@code flux.transform(...)}, that aggregate events per key and window. Results come as runs in the
 * order of firing: by end, start and key of the windows that one watermark closes (S33). One element of demand is one
 * run of results or one control element; a firing waits for demand and holds the input back meanwhile.
 */
public final class Windows {

    private static final String NAME = "window";

    private Windows() {}

    /** Aggregates per key and window; what is past the allowed lateness is dropped, and counted. */
    public static <T, K, A, R> Function<Flux<StreamElement<T>>, Flux<StreamElement<WindowResult<K, R>>>> aggregate(
            Function<? super T, ? extends K> key, WindowSpec windows, Aggregation<? super T, A, R> aggregation) {
        return aggregate(key, windows, aggregation, null, LaneContext.local());
    }

    /**
     * The same in a lane.
     *
     * @param late is given what is past the allowed lateness; null drops it
     */
    public static <T, K, A, R> Function<Flux<StreamElement<T>>, Flux<StreamElement<WindowResult<K, R>>>> aggregate(
            Function<? super T, ? extends K> key,
            WindowSpec windows,
            Aggregation<? super T, A, R> aggregation,
            @Nullable LateSink<? super T> late,
            LaneContext lane) {
        WindowDefinition<T, K, A, R> definition =
                new WindowDefinition<>(NAME, key, KeyCodec.tagged(), windows, aggregation, late, null);
        return source -> aggregate(source, definition, lane);
    }

    static <T, K, A, R> Flux<StreamElement<WindowResult<K, R>>> aggregate(
            Flux<StreamElement<T>> source, WindowDefinition<T, K, A, R> definition, LaneContext lane) {
        definition.windows().check();
        return aggregate(source, definition, lane, Windows::logic);
    }

    static <T, K, A, R> Flux<StreamElement<WindowResult<K, R>>> aggregate(
            Flux<StreamElement<T>> source,
            WindowDefinition<T, K, A, R> definition,
            LaneContext lane,
            WindowOperator.LogicFactory<T, K, A, R> factory) {
        return OperatorFlux.of(
                source, definition.name(), actual -> WindowOperator.of(actual, definition, lane, factory));
    }

    /** What does the work for the definition's kind of windows. */
    static <T, K, A, R> WindowLogic<T, K, A, R> logic(
            WindowDefinition<T, K, A, R> definition,
            LaneContext lane,
            LiveCounters counters,
            WindowResults<K, R> results) {
        return switch (definition.windows().kind()) {
            case TUMBLING, SLIDING -> fixed(definition, lane, counters, results);
            case CALENDAR -> new FixedWindows<>(definition, lane, counters, results);
            case SESSION -> new SessionWindows<>(definition, lane, counters, results);
            case COUNT, GLOBAL -> new EndlessWindows<>(definition, lane, counters, results);
        };
    }

    private static <T, K, A, R> WindowLogic<T, K, A, R> fixed(
            WindowDefinition<T, K, A, R> definition,
            LaneContext lane,
            LiveCounters counters,
            WindowResults<K, R> results) {
        boolean slotted = SlottedWindows.suit(definition.windows());
        if (slotted && lane.state() instanceof HeapStateBackend) {
            return new SlottedWindows<>(definition, lane, counters, results, null);
        }
        PaneStore<K, A> store = FixedWindows.openStore(definition, lane);
        return slotted && PaneMirror.suits(definition.windows(), store)
                ? new SlottedWindows<>(definition, lane, counters, results, store)
                : new FixedWindows<>(
                        definition, lane, counters, results, store, WindowLogic.openLate(definition, lane));
    }
}
