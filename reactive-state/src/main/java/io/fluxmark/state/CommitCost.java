package io.fluxmark.state;

/**
 * How much heap a changed entry costs the store until its commit: the pages that it lies in are kept and written as a
 * whole, so entries that lie far apart cost many times their own size. Measured with each commit of some size. Written by
 * the store thread, read by any.
 */
final class CommitCost {

    // An entry alone on its page; a store begins with it, so that nothing is underestimated.
    static final long MOST = 4096;

    // One of many small ones on a page.
    static final long LEAST = 128;

    private static final long FEWEST_ENTRIES = 256;

    private volatile long bytesPerEntry = MOST / 2;

    /** So many entries have been put, and so much is unsaved now. */
    void measured(long entries, long unsavedBytes) {
        if (entries >= FEWEST_ENTRIES) {
            long now = Math.min(MOST, Math.max(LEAST, unsavedBytes / entries));
            // What costs more than expected counts at once, what costs less little by little.
            bytesPerEntry = now > bytesPerEntry ? now : (3 * bytesPerEntry + now) / 4;
        }
    }

    long bytesPerEntry() {
        return bytesPerEntry;
    }
}
