package io.fluxmark.sinks;

import io.fluxmark.state.LaneTransaction;
import java.util.List;

/**
 * The rows of one lane of a job between two barriers. Confined to the lane.
 *
 * @param <T> what becomes rows
 */
interface RowWriter<T> {

    /** Takes the next element of the stream. */
    void write(T value);

    /** Adds what was written since the last barrier to its transaction. */
    void flush(LaneTransaction transaction);

    /** What brings committed rows elsewhere. */
    default List<Delivery> deliveries() {
        return List.of();
    }
}
