package io.fluxmark.state;

/** The file was written by an incompatible layout version, or is not a state store. */
public final class StoreFormatException extends StateStoreException {

    private static final long serialVersionUID = 1L;

    StoreFormatException(String message) {
        super(message);
    }
}
