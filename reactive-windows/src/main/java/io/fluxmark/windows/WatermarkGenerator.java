package io.fluxmark.windows;

/**
 * Makes watermarks of timestamps, for one partition. Called event by event, in order and serially; the watermark may only
 * depend on the timestamps given and the state restored, never on the clock or on how events travel together, or a replay
 * would not give the same results (S04).
 *
 * <p>{@link #state} is part of every transaction and is given back by {@link #restore} when the lane starts again (S47).
 * What a method throws ends the stream.
 */
public interface WatermarkGenerator {

    /**
     * The watermark after an event: no further event at or before it is expected. A value below an earlier one is ignored
     * and counted as {@link Counter#WATERMARK_REGRESSIONS} (S24). {@link Watermark#NONE} says nothing yet.
     *
     * @param timestamp the time of the event, epoch ms
     */
    long onEvent(long timestamp);

    /** What {@link #restore} needs in order to go on from here; a copy, of a length that may change. */
    long[] state();

    /** Goes on from what {@link #state} has given; called before the first event, if at all. */
    void restore(long[] state);
}
