package io.fluxmark.windows;

import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How duplicates are told; immutable and shared by the lanes.
 *
 * @param key of an event, which says where it belongs
 * @param identity what events that are the same have in common, of an event and its key
 * @param codec encodes and orders identities
 * @param timeToLive for how long one is remembered from the time of the first event with it, ms, at least 1
 * @param late is given what can't be judged any more; null where that is dropped
 * @param failures where goes what the functions fail on; null where that ends the stream
 */
record DedupeDefinition<T, K, I>(
        String name,
        Function<? super T, ? extends K> key,
        BiFunction<? super K, ? super T, ? extends I> identity,
        KeyCodec<I> codec,
        long timeToLive,
        @Nullable LateSink<? super T> late,
        @Nullable FailureSink failures) {

    K keyOf(T event) {
        return Objects.requireNonNull(key.apply(event), "the key function returned null");
    }

    /** What the state says of itself. */
    StateHeader header() {
        return StateHeader.of("dedupe");
    }
}
