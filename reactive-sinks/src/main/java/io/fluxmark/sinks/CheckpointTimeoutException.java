package io.fluxmark.sinks;

import java.time.Duration;

/**
 * A commit was not durable in time. Retryable: the next run opens its lanes behind whatever has become durable, and refuses
 * what has not.
 */
public final class CheckpointTimeoutException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    CheckpointTimeoutException(String lane, long transaction, Duration limit, int timeouts) {
        super("transaction " + transaction + " of " + lane + " was not durable after " + timeouts
                + " x " + limit
                + ": the disk or the store is held up; retry the job, which begins behind its last durable"
                + " commit, or raise CheckpointSpec.timeout");
    }
}
