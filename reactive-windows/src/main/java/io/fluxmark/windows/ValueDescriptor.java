package io.fluxmark.windows;

/** Declares a value for each key. */
final class ValueDescriptor<V> extends StateDescriptor<ValueState<V>> {

    private final Codec<V> values;

    ValueDescriptor(String name, long timeToLive, Codec<V> values) {
        super(name, timeToLive);
        this.values = values;
    }

    @Override
    StateDescriptor<ValueState<V>> withTimeToLive(long millis) {
        return new ValueDescriptor<>(name, millis, values);
    }

    @Override
    String kind() {
        return "value of " + values.id();
    }

    @Override
    <K> KeyedState<ValueState<V>> open(StatePlace<K> place) {
        return new KeyedValue<>(place, values, timeToLive);
    }
}
