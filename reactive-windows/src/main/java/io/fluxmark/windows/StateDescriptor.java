package io.fluxmark.windows;

import java.time.Duration;
import java.util.Objects;
import java.util.function.BinaryOperator;

/**
 * Declares a state of a {@link KeyedProcess}: its name, its kind, its codecs and, where entries are to expire, their
 * time-to-live. Immutable; mostly a constant, given to {@link KeyedProcess#states} and {@link ProcessContext#state}.
 *
 * <p>With a time-to-live an entry is there while the watermark is before the largest time, of an event or a timer, in whose
 * call it was written, plus the time-to-live (S43); reading does not count, and an earlier time does not shorten it. Then it
 * is gone for every call, and soon, within an eighth of the time-to-live, from memory and store. An entry of a value, list or
 * reducing state is all that the state has for the key; of a map state, an entry of the map. One whose time is over when it
 * is written is not kept. Both count as {@link Counter#EXPIRED}.
 *
 * @param <H> what a call uses the state with
 */
public abstract sealed class StateDescriptor<H>
        permits ValueDescriptor, ListDescriptor, MapDescriptor, ReducingDescriptor {

    /** No time-to-live. */
    static final long NONE = 0;

    final String name;
    final long timeToLive;

    StateDescriptor(String name, long timeToLive) {
        if (name.isBlank() || name.indexOf('/') >= 0) {
            throw new IllegalArgumentException("a state needs a name, without a slash, but it was \"" + name + "\"");
        }
        this.name = name;
        this.timeToLive = timeToLive;
    }

    /** One value for each key. */
    public static <V> StateDescriptor<ValueState<V>> value(String name, Codec<V> values) {
        return new ValueDescriptor<>(name, NONE, Objects.requireNonNull(values, "values"));
    }

    /** A list for each key. */
    public static <E> StateDescriptor<ListState<E>> list(String name, Codec<E> elements) {
        return new ListDescriptor<>(name, NONE, Objects.requireNonNull(elements, "elements"));
    }

    /**
     * A map for each key.
     *
     * @param mapKeys encodes the keys of the map; {@link KeyCodec#tagged(Class)} for those that need no codec of their own
     */
    public static <M, V> StateDescriptor<MapState<M, V>> map(String name, KeyCodec<M> mapKeys, Codec<V> values) {
        return new MapDescriptor<>(
                name, NONE, Objects.requireNonNull(mapKeys, "mapKeys"), Objects.requireNonNull(values, "values"));
    }

    /**
     * One value for each key, reduced of those that are added.
     *
     * @param reducer makes one value of what there is and what is added; must change neither
     */
    public static <V> StateDescriptor<ReducingState<V>> reducing(
            String name, Codec<V> values, BinaryOperator<V> reducer) {
        return new ReducingDescriptor<>(
                name, NONE, Objects.requireNonNull(values, "values"), Objects.requireNonNull(reducer, "reducer"));
    }

    /** The name, unique within the function. */
    public final String name() {
        return name;
    }

    /**
     * The same with entries that expire.
     *
     * @param timeToLive in event time, at least 1 ms
     */
    public final StateDescriptor<H> timeToLive(Duration timeToLive) {
        long millis = WindowSpec.millis(timeToLive, "timeToLive");
        if (millis < 1) {
            throw new IllegalArgumentException("a time-to-live is at least 1 ms but was " + timeToLive);
        }
        return withTimeToLive(millis);
    }

    abstract StateDescriptor<H> withTimeToLive(long millis);

    /** What it says of itself in a header: all that entries depend on that were written before. */
    final String says() {
        return kind() + (timeToLive == NONE ? "" : " with a time-to-live");
    }

    /** The kind and the codecs. */
    abstract String kind();

    /** The state in a lane. */
    abstract <K> KeyedState<H> open(StatePlace<K> place);

    @Override
    public final String toString() {
        return name + ": " + says();
    }
}
