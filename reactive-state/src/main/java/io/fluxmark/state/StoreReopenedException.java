package io.fluxmark.state;

import org.jspecify.annotations.Nullable;

/** The store failed, discarded what was not durable and opened its file again. Retryable: open the lane again and continue from what it restores. */
public sealed class StoreReopenedException extends StateStoreException permits DiskFullException {

    private static final long serialVersionUID = 1L;

    StoreReopenedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
