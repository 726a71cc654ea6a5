package io.fluxmark.windows;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;

/**
 * Transformers, for {@code flux.transform(...)}, over elements of any kind, with event time or before it. Each keeps the order of
 * events and control elements; what an event becomes has its time, the watermark before it, and its sign. What a function
 * throws ends the stream. One element of demand is one element.
 */
public final class Elements {

    /** The most results that {@link #mapMany} makes of one event where they have to be collected. */
    public static final int MAX_RESULTS = 65_536;

    /** How many elements {@link #union} requests ahead of each stream. */
    public static final int UNION_PREFETCH = 2;

    private Elements() {}

    /** Maps each event to another; null is an error. */
    public static <T, R> Function<Flux<StreamElement<T>>, Flux<StreamElement<R>>> map(
            Function<? super T, ? extends R> mapper) {
        return source -> OperatorFlux.of(source, "map", actual -> new MapOperator<T, R>(actual, mapper));
    }

    /** Keeps the events that match. Watermarks flow even when nothing matches (S34). */
    public static <T> Function<Flux<StreamElement<T>>, Flux<StreamElement<T>>> filter(Predicate<? super T> predicate) {
        return source -> OperatorFlux.of(source, "filter", actual -> new FilterOperator<T>(actual, predicate));
    }

    /** Shows each event to {@code consumer}, in order, and changes nothing. */
    public static <T> Function<Flux<StreamElement<T>>, Flux<StreamElement<T>>> peek(Consumer<? super T> consumer) {
        return source -> OperatorFlux.of(source, "peek", actual -> new PeekOperator<T>(actual, consumer));
    }

    /**
     * Makes any number of results of each event, in order; see {@link EventFlux#mapMany}. What is left of them at a cancel goes to
     * the discard hook.
     */
    public static <T, R> Function<Flux<StreamElement<T>>, Flux<StreamElement<R>>> mapMany(
            Function<? super T, ? extends Iterable<? extends R>> function) {
        return mapMany(function, LaneContext.local());
    }

    /** The same in a lane, which may want shorter runs. */
    public static <T, R> Function<Flux<StreamElement<T>>, Flux<StreamElement<R>>> mapMany(
            Function<? super T, ? extends Iterable<? extends R>> function, LaneContext lane) {
        return source -> ManyOperator.flux(source, "map-many", function, null, lane);
    }

    /**
     * Asks a function about each event that answers later, about at most {@code concurrency} at once; see {@link
     * EventFlux#mapAsync}. A transformer can't tell the source before it which runs it would like: one of more than {@code
     * concurrency} events is worked through with so many calls at once, and a barrier waits until it is.
     *
     * @param concurrency 1 to {@value EventBatch#MAX_SIZE}
     */
    public static <T, R> Function<Flux<StreamElement<T>>, Flux<StreamElement<R>>> mapAsync(
            int concurrency, Function<? super T, ? extends Publisher<? extends R>> function) {
        return mapAsync(concurrency, function, LaneContext.local());
    }

    /** The same in a lane, on whose clock it goes on when a call has ended. */
    public static <T, R> Function<Flux<StreamElement<T>>, Flux<StreamElement<R>>> mapAsync(
            int concurrency, Function<? super T, ? extends Publisher<? extends R>> function, LaneContext lane) {
        AsyncMapOperator.requireConcurrency(concurrency);
        return source -> AsyncMapOperator.flux(source, "map-async", function, concurrency, null, lane);
    }

    /**
     * Merges streams that have event time and watermarks of their own; see {@link EventFlux#union}. One element of demand is one
     * run of at most {@value EventBatch#MAX_SIZE} events or one control element; {@value #UNION_PREFETCH} elements are requested
     * ahead of each stream. An error of one cancels the others and comes behind what came before it; a cancel cancels all and
     * discards what waits. A barrier is passed on once all streams that have not ended have brought it, with one transaction;
     * its positions are those of all of them.
     *
     * @param streams 1 to {@value EventTime#MAX_SOURCES}
     */
    public static <T> Flux<StreamElement<T>> union(List<? extends Publisher<StreamElement<T>>> streams) {
        return UnionFlux.of(streams, LaneContext.local());
    }
}
