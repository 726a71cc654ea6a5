package io.fluxmark.windows;

/** Declares a map for each key. */
final class MapDescriptor<M, V> extends StateDescriptor<MapState<M, V>> {

    private final KeyCodec<M> mapKeys;
    private final Codec<V> values;

    MapDescriptor(String name, long timeToLive, KeyCodec<M> mapKeys, Codec<V> values) {
        super(name, timeToLive);
        this.mapKeys = mapKeys;
        this.values = values;
    }

    @Override
    StateDescriptor<MapState<M, V>> withTimeToLive(long millis) {
        return new MapDescriptor<>(name, millis, mapKeys, values);
    }

    @Override
    String kind() {
        return "map of " + mapKeys.id() + " to " + values.id();
    }

    @Override
    <K> KeyedState<MapState<M, V>> open(StatePlace<K> place) {
        return new KeyedMap<>(place, mapKeys, values, timeToLive);
    }
}
