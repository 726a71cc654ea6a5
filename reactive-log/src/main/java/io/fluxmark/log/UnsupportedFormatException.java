package io.fluxmark.log;

/**
 * Records are intact but can't be read here: their compression needs a library that is missing, or is not known, or they are
 * in an older message format. Nothing is cut, skipped or changed; with what the message asks for, they can be read.
 */
public final class UnsupportedFormatException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UnsupportedFormatException(String message) {
        super(message);
    }

    /** The same of a place in the log. */
    UnsupportedFormatException at(String place) {
        return new UnsupportedFormatException(place + ": " + getMessage());
    }
}
