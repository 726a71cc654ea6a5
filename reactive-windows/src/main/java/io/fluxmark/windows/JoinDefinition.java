package io.fluxmark.windows;

import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Everything an interval join is made of; immutable and shared by its lanes.
 *
 * @param name the operator's name
 * @param joiner makes what is emitted of a pair, where the one that is not there is null
 * @param failures where goes what the functions fail on; null where that ends the stream
 */
record JoinDefinition<K, L, R, O>(
        String name,
        KeyCodec<K> keyCodec,
        JoinInterval interval,
        JoinKind kind,
        JoinInput<K, L> left,
        JoinInput<K, R> right,
        BiFunction<? super @Nullable L, ? super @Nullable R, ? extends O> joiner,
        @Nullable FailureSink failures) {

    /** What the state of the join says of itself. */
    StateHeader header() {
        return StateHeader.of("interval join")
                .with("interval", interval.toString())
                .with("kind", kind.name());
    }
}
