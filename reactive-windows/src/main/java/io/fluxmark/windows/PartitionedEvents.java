package io.fluxmark.windows;

import org.jspecify.annotations.Nullable;

/**
 * How {@link PartitionedTimeOperator} reads from its input the events, their times and their partitions. Confined to the
 * lane; holds what was read last.
 *
 * @param <S> what comes
 * @param <T> the events
 */
interface PartitionedEvents<S, T> {

    /** Has to be called before a run is read. Returns the time, epoch ms. */
    long begin();

    /** Reads an event; null when it is invalid, which has been told then. */
    @Nullable
    T read(S source);

    /** The timestamp of the event read last, epoch ms. */
    long timestamp();

    /** Whether that lies beyond the guard: then it does not move the watermark. */
    boolean isAhead();

    /** The partition of the event read last, from 0. */
    int partition();

    /** Has to be called behind a run with what was accepted of it. */
    void end(TimedRun<T> run);

    /** A barrier passes: what was rejected before it belongs to its transaction. */
    void flush(StateTransaction transaction);

    /** Whether the lane's source has nothing unread of partition {@code p}, as far as it can tell. */
    boolean isCaughtUp(int p);
}
