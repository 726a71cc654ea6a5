package io.fluxmark.windows;

/**
 * What a {@link KeyedProcess} is called with: the key and the time, the key's state and timers, and a place for what it
 * emits. All of it is about the key of the call. Valid during the call only, on its thread: used later it throws an {@link
 * IllegalStateException}.
 *
 * @param <K> the key
 * @param <R> what is emitted
 */
public interface ProcessContext<K, R> {

    /** The key of the event, or of the timer. */
    K key();

    /** The time of the event, or of the timer, epoch ms: what is emitted carries it. */
    long timestamp();

    /**
     * The watermark, epoch ms: no further event at or before it is expected. In a call for a timer, the first watermark at
     * which that timer is due, however far the real one has jumped; {@link Watermark#END} at the end of the stream.
     */
    long watermark();

    /**
     * Whether {@link #timestamp} is behind the watermark (S01): of an event that came late, and of a timer that such a call
     * has set for a time that had passed. What is emitted is late for the stages behind then.
     */
    boolean isLate();

    /** +1, or -1 where the event takes an equal earlier one back; +1 for a timer. */
    int sign();

    /**
     * A state of the key.
     *
     * @throws IllegalArgumentException for one that {@link KeyedProcess#states} does not list, or lists as another kind, with other
     *     codecs or without the time-to-live
     */
    <H> H state(StateDescriptor<H> descriptor);

    /**
     * Sets a timer of the key; setting it again changes nothing. In a call for an event, one at or before the watermark is
     * due at once: right behind the call.
     *
     * @param timestamp when it is due: when the watermark has come to it, epoch ms
     * @return whether there is such a timer now. There is none, and what it would do is to be done at once, for a time at
     *     or before that of the timer whose call this is, and at the end of the stream, which calls the timers set before it
     *     and no others
     * @throws IllegalArgumentException for {@link Watermark#NONE} and {@link Watermark#END}
     */
    boolean setTimer(long timestamp);

    /** Deletes the key's timer at {@code timestamp}, epoch ms; false where there is none, or it has been called. */
    boolean deleteTimer(long timestamp);

    /**
     * Emits a value, not null, at {@link #timestamp}. What one call emits is held, in runs, until there is demand for it, and
     * nothing else is taken before.
     */
    void emit(R value);

    /**
     * Takes an equal value back that was emitted before.
     *
     * @throws IllegalStateException where {@link KeyedProcess#emitsRetractions} does not say so
     */
    void retract(R value);
}
