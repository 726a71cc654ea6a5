package io.fluxmark.state;

import org.jspecify.annotations.Nullable;

/** The common type of every error this module raises; the message names the offending value and the remedy. */
public class StateStoreException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the error.
     *
     * @param message what happened, to which value, and what to do
     */
    public StateStoreException(String message) {
        super(message);
    }

    /**
     * Creates the error with its cause.
     *
     * @param message what happened, to which value, and what to do
     * @param cause the underlying failure, if there is one
     */
    public StateStoreException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
