package io.fluxmark.state;

/** A newer session of the same lane exists: this one may neither read nor write any more. Not retryable here; the newer session owns the lane. */
public final class StaleGenerationException extends StateStoreException {

    private static final long serialVersionUID = 1L;

    StaleGenerationException(String message) {
        super(message);
    }
}
