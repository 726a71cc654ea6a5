package io.fluxmark.aggregate;

/** An option that can't be used; the message has the value and the remedy. */
public final class UsageException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** With a message for the user. */
    public UsageException(String message) {
        super(message);
    }
}
