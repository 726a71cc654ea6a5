package io.fluxmark.aggregate.run;

import io.fluxmark.aggregate.value.Value;
import io.fluxmark.windows.InvalidEvent;
import io.fluxmark.windows.LateEvent;
import io.fluxmark.windows.StreamElement;
import io.fluxmark.windows.WindowResult;

/**
 * Is told what a run does, in order. Without a virtual clock a timer may tell it on a thread of its own, but never two
 * threads at once.
 */
public interface RunListener {

    /** A result, emitted while the clock stood at {@code at}, epoch ms. */
    void result(WindowResult<Object, Value> result, long at);

    /** An event that went to the side output. */
    default void late(LateEvent<Event> late) {}

    /** An event that can't take part in event time. */
    default void invalid(InvalidEvent invalid) {}

    /** What comes out of event time and goes into the windows of a lane, or first through its dedupe. */
    default void timed(StreamElement<Event> element) {}
}
