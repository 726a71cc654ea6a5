package io.fluxmark.windows;

import org.jspecify.annotations.Nullable;

/** An entry of one key's map, and its neighbours in the order of putting. Changed in place. */
final class MapNode<M, V> {

    V value;

    @Nullable
    M before;

    @Nullable
    M after;

    MapNode(V value, @Nullable M before) {
        this.value = value;
        this.before = before;
    }

    MapNode<M, V> copy() {
        MapNode<M, V> copy = new MapNode<>(value, before);
        copy.after = after;
        return copy;
    }
}
