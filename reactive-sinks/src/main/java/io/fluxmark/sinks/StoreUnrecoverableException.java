package io.fluxmark.sinks;

import io.fluxmark.state.StateStoreException;
import org.jspecify.annotations.Nullable;

/** A store is damaged, and log and savepoints are not enough to bring it back; the message names the offsets that do not meet. */
public final class StoreUnrecoverableException extends StateStoreException {

    private static final long serialVersionUID = 1L;

    StoreUnrecoverableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
