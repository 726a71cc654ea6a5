package io.fluxmark.windows;

import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One side of a join, as it is defined; immutable.
 *
 * @param key of its events
 * @param codec of its events; null for state on the heap
 * @param late where its late events go; null drops them
 */
record JoinInput<K, V>(
        Function<? super V, ? extends K> key, @Nullable Codec<V> codec, @Nullable LateSink<? super V> late) {

    JoinInput<K, V> with(Codec<V> newCodec) {
        return new JoinInput<>(key, Objects.requireNonNull(newCodec, "codec"), late);
    }

    JoinInput<K, V> with(LateSink<? super V> newLate) {
        return new JoinInput<>(key, codec, Objects.requireNonNull(newLate, "sink"));
    }

    K keyOf(V event) {
        return Objects.requireNonNull(key.apply(event), "the key function returned null");
    }

    @Nullable
    Codec<List<JoinRow<V>>> rowsCodec() {
        return codec == null ? null : new JoinRowsCodec<>(codec);
    }

    LateSink.@Nullable Output<? super V> openLate(LaneContext lane) {
        return late == null ? null : late.open(lane);
    }
}
