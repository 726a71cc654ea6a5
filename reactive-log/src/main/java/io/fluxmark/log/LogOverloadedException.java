package io.fluxmark.log;

import java.time.Duration;

/** The append queue has no room. Nothing of the request is stored; it may be repeated later as it is. */
public final class LogOverloadedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Duration retryAfter;

    LogOverloadedException(String request, String queued, String bound, Duration retryAfter) {
        super("the log is overloaded: " + request + " do not fit beside " + queued + " (bound " + bound
                + "); nothing was stored, retry after " + retryAfter.toMillis()
                + " ms or raise LogSpec.queueBytes or queueRecords");
        this.retryAfter = retryAfter;
    }

    /** A guess at how long the queue needs to drain; at least one millisecond. */
    public Duration retryAfter() {
        return retryAfter;
    }
}
