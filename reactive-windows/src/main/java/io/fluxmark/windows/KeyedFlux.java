package io.fluxmark.windows;

import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * Events with a key; see {@link EventFlux}.
 *
 * @param <K> the key
 * @param <T> the events
 */
public final class KeyedFlux<K, T> {

    final Function<LaneContext, Flux<StreamElement<T>>> recipe;
    final Plan plan;
    final KeyCodec<K> keyCodec;
    final Function<? super T, ? extends K> key;

    KeyedFlux(
            Function<LaneContext, Flux<StreamElement<T>>> recipe,
            Plan plan,
            KeyCodec<K> keyCodec,
            Function<? super T, ? extends K> key) {
        this.recipe = recipe;
        this.plan = plan;
        this.keyCodec = keyCodec;
        this.key = key;
    }

    /**
     * Calls a function of one's own for each event, in order, with state and event-time timers of the event's key. An event
     * behind the watermark is handed over like any other: {@link ProcessContext#isLate} tells, and it counts as {@link
     * Counter#LATE}.
     *
     * @throws IllegalStateException where a stage before takes results back and {@code process} does not take them
     */
    public <R> EventFlux<R> process(KeyedProcess<K, ? super T, R> process) {
        return processing().call(process);
    }

    /**
     * The same, but what is behind the watermark goes to {@code late}, counts as {@link Counter#SIDE}, and is not handed
     * over; null hands it over.
     */
    public <R> EventFlux<R> process(KeyedProcess<K, ? super T, R> process, @Nullable LateSink<? super T> late) {
        return late == null ? process(process) : processing().lateTo(late).call(process);
    }

    /** The same with more to say of it: {@code keyed.processing().countersTo(...).explainTo(...).call(process)}. */
    public ProcessFlux<K, T> processing() {
        return new ProcessFlux<>(this, null, counters -> {}, live -> {});
    }

    /**
     * Windows over the events of each key. A window's result appears once the watermark has passed its end: after the
     * last event of a silent stream nothing fires until another event comes or the stream ends.
     */
    public WindowedFlux<K, T> window(WindowSpec windows) {
        return new WindowedFlux<>(this, windows, null, counters -> {}, live -> {}, null);
    }

    /**
     * Sessions whose gap each event says itself, in ms: at least 1 and at most the definition's. An event keeps its
     * session open for that long.
     *
     * @throws IllegalArgumentException for windows that are not sessions
     */
    public WindowedFlux<K, T> window(WindowSpec sessions, ToLongFunction<? super T> gapMillis) {
        if (sessions.kind() != WindowSpec.Kind.SESSION) {
            throw new IllegalArgumentException("only sessions have a gap, but these are " + sessions + " windows");
        }
        return new WindowedFlux<>(
                this, sessions, null, counters -> {}, live -> {}, Objects.requireNonNull(gapMillis, "gapMillis"));
    }
}
