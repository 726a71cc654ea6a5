package io.fluxmark.state;

/**
 * A store's figures at one moment; each is read on its own, so they need not belong to the same commit.
 *
 * @param commit number of the newest durable commit, 0 before the first
 * @param fileBytes size of the store file
 * @param queuedTransactions transactions and fences waiting for the store thread
 * @param queuedBytes bytes of the waiting transactions
 * @param unsavedBytes the store's own estimate of changed pages on the heap
 * @param pinnedViews committed views still held by readers, the published one included
 * @param pendingRanges dropped ranges whose entries are not all removed from the file yet
 * @param aheadRows rows written ahead of their transaction, durably, since the store was opened
 * @param aheadBytes about what these took on the heap when they were handed over
 * @param aheadTransactions transactions with rows written ahead that are under way, or not all settled in the file yet
 * @param refusedTransactions transactions refused since the store was opened; nothing of them was applied
 * @param reopenings how often the store failed and opened its file again
 */
public record StoreInfo(
        long commit,
        long fileBytes,
        int queuedTransactions,
        long queuedBytes,
        long unsavedBytes,
        int pinnedViews,
        int pendingRanges,
        long aheadRows,
        long aheadBytes,
        int aheadTransactions,
        long refusedTransactions,
        long reopenings) {}
