package io.fluxmark.windows;

import org.jspecify.annotations.Nullable;

/**
 * Where the operators of one lane keep their state. Not thread-safe: confined to the lane. An operator asks for its
 * state once, at subscription; what an earlier run of the lane has committed is in it then.
 */
public interface StateBackend {

    /**
     * The panes of one operator.
     *
     * @param operator the operator's name, stable across restarts
     * @param keys orders and encodes the keys
     * @param accumulators encodes the accumulators; may be null only for a backend on the heap
     * @param emitted encodes {@link PaneEntry#emitted}; may be null for a backend on the heap and where it is never set
     */
    <K, A> PaneStore<K, A> panes(
            String operator, KeyCodec<K> keys, @Nullable Codec<A> accumulators, @Nullable Codec<?> emitted);

    /**
     * The same, refusing panes that were written under a header that says something else: the error names both. A part
     * that only one of them has is not compared. A backend that keeps nothing over a restart has nothing to compare.
     */
    default <K, A> PaneStore<K, A> panes(
            String operator,
            StateHeader header,
            KeyCodec<K> keys,
            @Nullable Codec<A> accumulators,
            @Nullable Codec<?> emitted) {
        return panes(operator, keys, accumulators, emitted);
    }

    /** The panes of an operator that never sets {@link PaneEntry#emitted}. */
    default <K, A> PaneStore<K, A> panes(String operator, KeyCodec<K> keys, @Nullable Codec<A> accumulators) {
        return panes(operator, keys, accumulators, null);
    }

    /** What the last committed {@link StateTransaction#longs} recorded, or null. */
    long @Nullable [] longs(String operator, String name);

    /** State on the heap that ends with the subscription. */
    static StateBackend heap() {
        return new HeapStateBackend();
    }
}
