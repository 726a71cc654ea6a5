package io.fluxmark.quickstart;

/** The data directory belongs to a run with other settings. */
public final class DataMismatchException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    DataMismatchException(String message) {
        super(message);
    }
}
