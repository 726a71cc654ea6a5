package io.fluxmark.state;

import org.jspecify.annotations.Nullable;

/** A transaction was refused before anything of it was applied; later transactions of that session are refused too. */
public final class TransactionRefusedException extends StateStoreException {

    private static final long serialVersionUID = 1L;

    TransactionRefusedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
