package io.fluxmark.windows;

import java.util.function.BinaryOperator;

/** Declares a reduced value for each key. */
final class ReducingDescriptor<V> extends StateDescriptor<ReducingState<V>> {

    private final Codec<V> values;
    private final BinaryOperator<V> reducer;

    ReducingDescriptor(String name, long timeToLive, Codec<V> values, BinaryOperator<V> reducer) {
        super(name, timeToLive);
        this.values = values;
        this.reducer = reducer;
    }

    @Override
    StateDescriptor<ReducingState<V>> withTimeToLive(long millis) {
        return new ReducingDescriptor<>(name, millis, values, reducer);
    }

    @Override
    String kind() {
        return "reducing of " + values.id();
    }

    @Override
    <K> KeyedState<ReducingState<V>> open(StatePlace<K> place) {
        return new KeyedReducing<>(place, values, reducer, timeToLive);
    }
}
