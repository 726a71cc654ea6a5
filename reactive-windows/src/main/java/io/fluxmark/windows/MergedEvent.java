package io.fluxmark.windows;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An event of a lane over several partitions, on its way from the source, which orders partitions by it, to the operator
 * that gives it its time. Also one that is invalid: it counts, and is told of in its turn. Immutable.
 *
 * @param <T> the events
 */
public final class MergedEvent<T> {

    /**
     * Why an event is none.
     *
     * @param source what the source had emitted
     */
    record Rejection(InvalidEvent event, Object source) {}

    private final int partition;
    private final @Nullable T value;
    private final @Nullable Rejection rejection;
    private final long timestamp;
    private final boolean ahead;

    private MergedEvent(
            int partition, @Nullable T value, @Nullable Rejection rejection, long timestamp, boolean ahead) {
        this.partition = partition;
        this.value = value;
        this.rejection = rejection;
        this.timestamp = timestamp;
        this.ahead = ahead;
    }

    static <T> MergedEvent<T> of(int partition, T value, long timestamp, boolean ahead) {
        return new MergedEvent<>(partition, value, null, timestamp, ahead);
    }

    /** The same with another event in the place of this one, where there is one. */
    <R> MergedEvent<R> map(Function<? super T, ? extends R> mapper) {
        return new MergedEvent<>(partition, value == null ? null : mapper.apply(value), rejection, timestamp, ahead);
    }

    static <T> MergedEvent<T> rejected(int partition, Rejection rejection) {
        return new MergedEvent<>(partition, null, rejection, Long.MIN_VALUE, false);
    }

    /**
     * What partitions are read by, the lowest first: the timestamp, epoch ms. {@link Long#MIN_VALUE} for an event that is
     * invalid, or beyond the guard against far-future ones: it has no say in the order, and must not stand before its own
     * successors.
     */
    public long order() {
        return ahead ? Long.MIN_VALUE : timestamp;
    }

    /** The number of its partition. */
    public int partition() {
        return partition;
    }

    /** The event; null when it is rejected. */
    @Nullable
    T value() {
        return value;
    }

    /** Why there is no event; null where there is one. */
    @Nullable
    Rejection rejection() {
        return rejection;
    }

    /** Epoch ms. */
    long timestamp() {
        return timestamp;
    }

    /** Whether it lies beyond the guard: then it does not move the watermark. */
    boolean isAhead() {
        return ahead;
    }
}
