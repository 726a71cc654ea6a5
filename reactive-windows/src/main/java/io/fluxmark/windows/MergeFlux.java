package io.fluxmark.windows;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;

/** The publisher of a merge: the immutable definition, of which every subscription makes an operator of its own. */
final class MergeFlux<T> extends Flux<StreamElement<T>> implements Scannable {

    private final List<Flux<T>> sources;
    private final int prefetch;
    private final TimeDefinition<T, T> definition;
    private final LaneContext lane;

    private MergeFlux(List<Flux<T>> sources, int prefetch, TimeDefinition<T, T> definition, LaneContext lane) {
        this.sources = sources;
        this.prefetch = prefetch;
        this.definition = definition;
        this.lane = lane;
    }

    static <T> Flux<StreamElement<T>> of(
            List<Flux<T>> sources, int prefetch, TimeDefinition<T, T> definition, LaneContext lane) {
        return onAssembly(new MergeFlux<>(sources, prefetch, definition, lane));
    }

    /** Checks what is to be merged; a copy, of the type that it has to have. */
    static <T> List<Flux<T>> checked(List<? extends Publisher<? extends T>> sources, int prefetch) {
        if (sources.isEmpty() || sources.size() > EventTime.MAX_SOURCES) {
            throw new IllegalArgumentException(
                    "a merge has 1.." + EventTime.MAX_SOURCES + " sources but was given " + sources.size()
                            + ": merge groups of them with Flux.merge first, where their order does not matter");
        }
        if (prefetch < 1 || prefetch > EventBatch.MAX_SIZE) {
            throw new IllegalArgumentException("a merge requests 1.." + EventBatch.MAX_SIZE
                    + " values ahead of each source but was to request " + prefetch);
        }
        return sources.stream()
                .<Flux<T>>map(source -> Flux.from(Objects.requireNonNull(source, "source")))
                .toList();
    }

    @Override
    public void subscribe(CoreSubscriber<? super StreamElement<T>> actual) {
        MergeOperator<T> operator;
        try {
            operator = new MergeOperator<>(actual, definition, sources.size(), prefetch, lane);
        } catch (Throwable t) {
            Operators.error(actual, Operators.onOperatorError(t, actual.currentContext()));
            return;
        }
        operator.subscribeTo(sources);
    }

    @Override
    public int getPrefetch() {
        return prefetch;
    }

    @Override
    @SuppressWarnings("rawtypes") // Scannable's own signature
    public @Nullable Object scanUnsafe(Attr key) {
        if (key == Attr.NAME) {
            return definition.name();
        }
        if (key == Attr.PARENT) {
            return sources.get(0); // a chain can only go on to one: the others are the operator's inners
        }
        if (key == Attr.PREFETCH) {
            return prefetch;
        }
        return key == Attr.RUN_STYLE ? Attr.RunStyle.SYNC : null;
    }
}
