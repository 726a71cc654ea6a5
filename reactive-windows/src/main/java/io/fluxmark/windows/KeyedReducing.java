package io.fluxmark.windows;

import java.util.Objects;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/** A reduced value for each key, in a lane: a value that is read before it is set. */
final class KeyedReducing<K, V> implements ReducingState<V>, KeyedState<ReducingState<V>> {

    private final KeyedValue<K, V> value;
    private final BinaryOperator<V> reducer;

    KeyedReducing(StatePlace<K> place, Codec<V> values, BinaryOperator<V> reducer, long timeToLive) {
        this.value = new KeyedValue<>(place, values, timeToLive);
        this.reducer = reducer;
    }

    @Override
    public @Nullable V get() {
        return value.get();
    }

    @Override
    public void add(V added) {
        Objects.requireNonNull(added, "value");
        StateCell<V> cell = value.write();
        if (cell != null) {
            V before = cell.value;
            cell.value = before == null ? added : Objects.requireNonNull(reducer.apply(before, added), "reduced value");
        }
    }

    @Override
    public void clear() {
        value.clear();
    }

    @Override
    public ReducingState<V> handle() {
        return this;
    }

    @Override
    public long entries() {
        return value.entries();
    }

    @Override
    public long deadlines() {
        return value.deadlines();
    }

    @Override
    public boolean isDue(long watermark) {
        return value.isDue(watermark);
    }

    @Override
    public void sweep(long watermark) {
        value.sweep(watermark);
    }

    @Override
    public void flush(StateTransaction transaction) {
        value.flush(transaction);
    }
}
