package io.fluxmark.quickstart;

import java.time.Duration;

/** The server stored nothing and names the time after which to send the same again. */
final class ServerBusyException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Duration retryAfter;

    ServerBusyException(Duration retryAfter) {
        super("The server is busy; send again in " + retryAfter.toSeconds() + " s.", null, false, false);
        this.retryAfter = retryAfter;
    }

    Duration retryAfter() {
        return retryAfter;
    }
}
