package io.fluxmark.aggregate;

/** Input that ends the run (exit code 65); the message has the place and the remedy. */
public final class DataException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** With a message for the user. */
    public DataException(String message) {
        super(message);
    }
}
