package io.fluxmark.windows;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A value for each key, in a lane. */
final class KeyedValue<K, V> implements ValueState<V>, KeyedState<ValueState<V>> {

    private final Moment<K> moment;
    private final Cells<K, V> cells;

    KeyedValue(StatePlace<K> place, Codec<V> values, long timeToLive) {
        this.moment = place.moment();
        this.cells = new Cells<>(place, place.name(), place.keys(), values, timeToLive, value -> value, this::expire);
    }

    private void expire(K key) {
        cells.remove(key);
    }

    @Override
    public @Nullable V get() {
        return cells.live(moment.key());
    }

    @Override
    public void set(V value) {
        Objects.requireNonNull(value, "value");
        StateCell<V> cell = write();
        if (cell != null) {
            cell.value = value;
        }
    }

    /** The entry for writing it; null where it would be over at once. */
    @Nullable
    StateCell<V> write() {
        return cells.write(moment.key());
    }

    @Override
    public void clear() {
        K key = moment.key();
        StateCell<V> cell = cells.find(key);
        if (cell != null) {
            cells.countIfOver(cell);
            cells.remove(key);
        }
    }

    @Override
    public ValueState<V> handle() {
        return this;
    }

    @Override
    public long entries() {
        return cells.size();
    }

    @Override
    public long deadlines() {
        return cells.deadlines();
    }

    @Override
    public boolean isDue(long watermark) {
        return cells.isDue(watermark);
    }

    @Override
    public void sweep(long watermark) {
        cells.sweep(watermark);
    }

    @Override
    public void flush(StateTransaction transaction) {
        cells.flush(transaction);
    }
}
