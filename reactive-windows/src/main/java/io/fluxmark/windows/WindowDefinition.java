package io.fluxmark.windows;

import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Everything a windowed aggregation is made of; immutable and shared by its lanes.
 *
 * @param gap the gap of each event's own, ms, for sessions; null where the definition's gap holds for all
 */
record WindowDefinition<T, K, A, R>(
        String name,
        Function<? super T, ? extends K> key,
        KeyCodec<K> keyCodec,
        WindowSpec windows,
        Aggregation<? super T, A, R> aggregation,
        @Nullable LateSink<? super T> late,
        @Nullable ToLongFunction<? super T> gap) {

    /** Refuses what counts over all keys, and can't be divided among lanes by key. */
    void requireSplittable() {
        if (windows.ceiling() != null) {
            throw new IllegalStateException(
                    "a ceiling bounds the entries of all keys together, which lanes that keys are"
                            + " divided among can't know: leave the ceiling out, or parallel");
        }
    }

    /** The same for one key group, whose state has another name, and whose late events go on in the stream. */
    WindowDefinition<T, K, A, R> inGroup(String group) {
        return new WindowDefinition<>(
                group, key, keyCodec, windows, aggregation, late == null ? null : GroupLane.lateAside(), gap);
    }

    /** What the state of such windows says of itself. */
    StateHeader header() {
        String kind = windows.kind().name().toLowerCase(Locale.ROOT);
        return StateHeader.of(kind + " windows").with("aggregation", aggregation.id());
    }
}
