package io.fluxmark.windows;

/** One state of a function in a lane, of all keys. Confined to the lane. */
interface KeyedState<H> {

    /** What calls use it with. */
    H handle();

    /** How many entries are held, those included that have expired and are not gone yet. */
    long entries();

    /** How many places the index of deadlines holds. */
    long deadlines();

    /** Whether {@link #sweep} has something to do at {@code watermark}. */
    boolean isDue(long watermark);

    /** Lets go of entries that have expired at {@code watermark}, which no call will be before any more. */
    void sweep(long watermark);

    /** What has changed goes into the transaction of a passing barrier. */
    void flush(StateTransaction transaction);
}
