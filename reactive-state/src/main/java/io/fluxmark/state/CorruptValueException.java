package io.fluxmark.state;

/** A stored value does not match its checksum or has an unknown layout; the message names table and key. */
public final class CorruptValueException extends StateStoreException {

    private static final long serialVersionUID = 1L;

    CorruptValueException(String message) {
        super(message);
    }

    CorruptValueException(String message, Throwable cause) {
        super(message, cause);
    }
}
