package io.fluxmark.windows;

import org.jspecify.annotations.Nullable;

/**
 * How the events of a window become a value. Ready-made ones are in {@link Aggregations}; implement it for your own.
 * Thread-safe and without state: all state is in the accumulators, each of which is used by one thread at a time.
 *
 * @param <T> the events
 * @param <A> the accumulator
 * @param <R> the result
 */
public interface Aggregation<T, A, R> {

    /** A new accumulator without events; it may be made ahead of its use, and never be used. */
    A create();

    /** The accumulator with {@code event} added: the same object, changed, or another. */
    A add(A accumulator, T event);

    /**
     * Both accumulators in one: the first, changed, or another. The second stays as it is, and the one returned does not
     * change when it does: it is merged again elsewhere. Equal to one accumulator to which the events of the first and
     * then those of the second were added; events may be merged in another order than they came in.
     */
    A merge(A first, A second);

    /**
     * The value. It must not change when the accumulator does, and must have an {@code equals}: a late event that
     * leaves the value equal emits nothing.
     */
    R result(A accumulator);

    /** Whether {@link #subtract} undoes {@link #add}; needed downstream of a stage that retracts. */
    default boolean canSubtract() {
        return false;
    }

    /** The accumulator without {@code event}, which was added before. */
    default A subtract(A accumulator, T event) {
        throw new IllegalStateException(this + " can't take a retraction: it has no subtract");
    }

    /**
     * A stable name, recorded with stored accumulators and compared when they are read again: state of one aggregation
     * is never continued by another. The ready-made ones have one; null, for an aggregation of one's own, means that
     * there is none to compare.
     */
    default @Nullable String id() {
        return null;
    }

    /** Encodes the accumulators; null restricts the aggregation to state on the heap. */
    default @Nullable Codec<A> accumulatorCodec() {
        return null;
    }

    /** Encodes the results; null means that a table needs to be told one. */
    default @Nullable Codec<R> resultCodec() {
        return null;
    }
}
