package io.fluxmark.sinks;

import io.fluxmark.state.LaneTransaction;
import java.util.List;
import reactor.core.publisher.Mono;

/** Brings committed rows of one lane to their receiver. One call at a time. */
interface RowSender {

    /**
     * Delivers the rows, which follow those of the call before.
     *
     * @return when each has arrived for good, those that were given up, as rows for the dead letter table. An error ends the
     *     job, and the rows are delivered again by the next run
     */
    Mono<List<byte[]>> send(List<OutboxRow> rows);

    /** Adds what it has to remember to a transaction, not more than belongs to what has been sent before the call. */
    default void flush(LaneTransaction transaction) {}
}
