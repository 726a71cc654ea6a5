package io.fluxmark.windows;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * A keyed stage that is split by key; immutable.
 *
 * @param name the stage's name
 * @param late where late events go; null where none are handed out
 * @param failures where goes what a function fails on; null where that ends the stream
 * @param chain makes the stage of one group
 */
record SplitStage<T, K, R>(
        String name,
        Parallelism parallelism,
        Function<? super T, ? extends K> key,
        KeyCodec<K> keyCodec,
        @Nullable LateSink<? super T> late,
        @Nullable FailureSink failures,
        Chain<T, R> chain) {

    /** Makes the stage of one group. */
    interface Chain<T, R> {

        /** @param name what the group's states are called */
        Flux<StreamElement<R>> of(Flux<StreamElement<T>> source, String name, GroupLane lane);
    }

    static <T, K, A, R> SplitStage<T, K, WindowResult<K, R>> of(
            WindowDefinition<T, K, A, R> window, Parallelism parallelism) {
        return new SplitStage<>(
                window.name(),
                parallelism,
                window.key(),
                window.keyCodec(),
                window.late(),
                null,
                (source, name, lane) -> Windows.aggregate(source, window.inGroup(name), lane));
    }

    static <T, K, R> SplitStage<T, K, R> of(ProcessDefinition<T, K, R> process, Parallelism parallelism) {
        return new SplitStage<>(
                process.name(),
                parallelism,
                process.key(),
                process.keyCodec(),
                process.late(),
                process.failures(),
                (source, name, lane) -> ProcessOperator.flux(source, process.inGroup(name), lane));
    }

    /** The stage behind {@code source}, split and gathered. */
    Flux<StreamElement<R>> behind(Flux<StreamElement<T>> source, LaneContext lane) {
        return OperatorFlux.of(source, name, actual -> new LaneGather<>(actual, this, lane).split());
    }
}
