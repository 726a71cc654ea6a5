package io.fluxmark.windows;

import org.jspecify.annotations.Nullable;

/**
 * An event, or a record, that can't take part in event time. It is counted as rejected, and the stream goes on.
 *
 * @param event what was given
 * @param reason what is wrong with it, with the offending value
 * @param cause what a decoder or a timestamp function threw, if it was that
 */
public record InvalidEvent(Object event, String reason, @Nullable Throwable cause) {}
