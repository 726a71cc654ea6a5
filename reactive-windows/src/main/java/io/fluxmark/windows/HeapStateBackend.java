package io.fluxmark.windows;

import org.jspecify.annotations.Nullable;

/** State on the heap that ends with the subscription. */
final class HeapStateBackend implements StateBackend {

    @Override
    public <K, A> PaneStore<K, A> panes(
            String operator, KeyCodec<K> keys, @Nullable Codec<A> accumulators, @Nullable Codec<?> emitted) {
        return new HeapPaneStore<>(keys.order());
    }

    @Override
    public long @Nullable [] longs(String operator, String name) {
        return null;
    }
}
