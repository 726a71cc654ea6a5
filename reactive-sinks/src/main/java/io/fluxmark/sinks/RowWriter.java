package io.fluxmark.sinks;

import io.fluxmark.state.LaneTransaction;
import java.util.List;

/**
 * Turns what one lane of a job emits into rows. Confined to the lane.
 *
 * @param <T> what becomes rows
 */
interface RowWriter<T> {

    /** Takes the next element of the stream. */
    void write(T value);

    /**
     * Adds what was written since the last call to the transaction of the next barrier, or to a part of it. Called behind
     * every so many elements and at the barrier, so nothing that has been added is held any longer.
     */
    void flush(LaneTransaction transaction);

    /** What brings committed rows elsewhere. */
    default List<Delivery> deliveries() {
        return List.of();
    }
}
