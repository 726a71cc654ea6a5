package io.fluxmark.windows;

/**
 * An aggregation whose accumulator is a fixed number of longs, changed in place. It can be used wherever another one can.
 * Tumbling and sliding windows on the heap keep the accumulators of all keys side by side in one array: nothing is
 * allocated for a key, and an event reads one place in memory where it would have to follow a reference to a second.
 *
 * <p>An accumulator is the {@link #cells} longs from an index on, {@code cells[at]} to {@code cells[at + cells() - 1]}. What
 * lies around it belongs to other keys: a method must neither read nor write it, and must not keep the array.
 *
 * <p>Thread-safe and without state, like every {@link Aggregation}.
 *
 * @param <T> the events
 * @param <R> the result
 */
public interface LongsAggregation<T, R> extends Aggregation<T, long[], R> {

    /** How many longs an accumulator has, at least 1; always the same. */
    int cells();

    /** Makes the accumulator at {@code at}, whose longs are 0, one without events. */
    default void init(long[] cells, int at) {
        // all longs 0
    }

    /** Adds {@code event} to the accumulator at {@code at}. */
    void add(long[] cells, int at, T event);

    /** Takes {@code event}, which was added before, from the accumulator at {@code at}; see {@link #canSubtract}. */
    default void subtract(long[] cells, int at, T event) {
        throw new IllegalStateException(this + " can't take a retraction: it has no subtract");
    }

    /** Adds the accumulator at {@code from} of {@code others}, which stays as it is, to the one at {@code at}. */
    void merge(long[] cells, int at, long[] others, int from);

    /** The value of the accumulator at {@code at}; what {@link Aggregation#result} says of it holds. */
    R result(long[] cells, int at);

    @Override
    default long[] create() {
        long[] cells = new long[cells()];
        init(cells, 0);
        return cells;
    }

    @Override
    default long[] add(long[] accumulator, T event) {
        add(accumulator, 0, event);
        return accumulator;
    }

    @Override
    default long[] subtract(long[] accumulator, T event) {
        subtract(accumulator, 0, event);
        return accumulator;
    }

    @Override
    default long[] merge(long[] first, long[] second) {
        merge(first, 0, second, 0);
        return first;
    }

    @Override
    default R result(long[] accumulator) {
        return result(accumulator, 0);
    }

    @Override
    default Codec<long[]> accumulatorCodec() {
        return Codec.longArrays();
    }
}
