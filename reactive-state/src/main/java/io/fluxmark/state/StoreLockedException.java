package io.fluxmark.state;

/** Another store, here or in another process, holds the directory. */
public final class StoreLockedException extends StateStoreException {

    private static final long serialVersionUID = 1L;

    StoreLockedException(String message) {
        super(message);
    }
}
