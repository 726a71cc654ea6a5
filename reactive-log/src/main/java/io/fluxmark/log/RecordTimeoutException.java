package io.fluxmark.log;

import java.time.Duration;

/** A record was not finished in time. Its offset is kept: it is the first one after a restart. */
public final class RecordTimeoutException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    RecordTimeoutException(PartitionId partition, long offset, Duration limit) {
        super("the record at offset " + offset + " of " + partition + " was not finished after " + limit
                + "; its offset is kept; raise the limit, or choose a dead letter in ConsumeSpec");
    }
}
