package io.fluxmark.windows;

import java.util.function.Consumer;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;

/**
 * Transformers, for {@code flux.transform(...)}, that bring values into event time. Each keeps order and demand: one
 * element of demand is one element, and nothing is requested that was not asked for beyond a declared prefetch.
 */
public final class EventTime {

    private static final String NAME = "event-time";

    private EventTime() {}

    /**
     * Collects values into runs of at most {@value EventBatch#MAX_SIZE}, of whatever is available. Completion of the
     * source ends the stream: {@link Watermark#END}, then completion. An error ends it without (S33).
     *
     * <p>Available together is what the source emits within one {@code request(n)}, before that returns, and what has come
     * while there was no demand; a value that comes on its own travels at once. No more than one run is requested ahead. A
     * source that blocks inside {@code request(n)} holds back what it has emitted in it: put {@code subscribeOn} behind it,
     * as for any blocking source, or use a run size of 1.
     */
    public static <T> Function<Flux<T>, Flux<StreamElement<T>>> runs() {
        return runs(EventBatch.MAX_SIZE);
    }

    /** The same with a run size of 1 to {@value EventBatch#MAX_SIZE}; results do not depend on it. */
    public static <T> Function<Flux<T>, Flux<StreamElement<T>>> runs(int runSize) {
        if (runSize < 1 || runSize > EventBatch.MAX_SIZE) {
            throw new IllegalArgumentException("a run size is 1.." + EventBatch.MAX_SIZE + " but was " + runSize);
        }
        return source -> OperatorFlux.of(source, "runs", actual -> new RunAssembler<T>(actual, runSize));
    }

    /** Timestamps and a watermark in force before each event (S04); invalid events are counted and left out. */
    public static <T> Function<Flux<StreamElement<T>>, Flux<StreamElement<T>>> assign(
            TimestampFunction<? super T> timestamps, WatermarkSpec spec) {
        return assign(timestamps, spec, event -> {}, LaneContext.local());
    }

    /**
     * The same in a lane.
     *
     * @param invalid is given what was rejected, in order
     */
    public static <T> Function<Flux<StreamElement<T>>, Flux<StreamElement<T>>> assign(
            TimestampFunction<? super T> timestamps,
            WatermarkSpec spec,
            Consumer<? super InvalidEvent> invalid,
            LaneContext lane) {
        return source -> decode(source, NAME, value -> value, timestamps, spec, invalid, lane);
    }

    static <S, T> Flux<StreamElement<T>> decode(
            Publisher<StreamElement<S>> source,
            String name,
            Function<? super S, ? extends T> decoder,
            TimestampFunction<? super T> timestamps,
            WatermarkSpec spec,
            Consumer<? super InvalidEvent> invalid,
            LaneContext lane) {
        return OperatorFlux.of(
                source,
                name,
                actual -> new EventTimeOperator<S, T>(actual, name, decoder, timestamps, spec, invalid, lane));
    }

    /** The values of the runs, one by one; control elements, timestamps and signs are left behind. */
    public static <T> Function<Flux<StreamElement<T>>, Flux<T>> values() {
        return source -> OperatorFlux.of(source, "values", ValuesOperator::new);
    }
}
