package io.fluxmark.state;

import org.jspecify.annotations.Nullable;

/** The store is closed, or failed and could not be opened again; open a new one. */
public final class StoreClosedException extends StateStoreException {

    private static final long serialVersionUID = 1L;

    StoreClosedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
