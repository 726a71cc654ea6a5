package io.fluxmark.windows;

import java.util.function.Consumer;

/**
 * How an operator gives events their time.
 *
 * @param name the operator's name, under which it commits
 * @param decoder makes an event of what the source emits; null, or a failure, makes it invalid
 * @param timestamps when an event was
 * @param spec what the watermark is, and which timestamps may not take part
 * @param invalid is given what is rejected, in order
 */
record TimeDefinition<S, T>(
        String name,
        EventDecoder<S, ? extends T> decoder,
        TimestampFunction<? super T> timestamps,
        WatermarkSpec spec,
        InvalidSink invalid) {

    /** The same, with another place for what is rejected. */
    TimeDefinition<S, T> rejectingTo(InvalidSink other) {
        return new TimeDefinition<>(name, decoder, timestamps, spec, other);
    }

    /** Of values that are events already. */
    static <T> TimeDefinition<T, T> ofEvents(
            String name,
            TimestampFunction<? super T> timestamps,
            WatermarkSpec spec,
            Consumer<? super InvalidEvent> invalid) {
        return new TimeDefinition<>(name, event -> event, timestamps, spec, InvalidSink.calling(invalid));
    }
}
