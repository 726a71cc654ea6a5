package io.fluxmark.state;

/** The store's bounded queue has no room; nothing of the transaction was applied and the same transaction may be submitted again. */
public final class StoreQueueFullException extends StateStoreException {

    private static final long serialVersionUID = 1L;

    StoreQueueFullException(String message) {
        super(message);
    }
}
