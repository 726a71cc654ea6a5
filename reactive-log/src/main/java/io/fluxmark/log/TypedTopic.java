package io.fluxmark.log;

import java.util.Objects;

/**
 * A topic together with the codec of its events.
 *
 * @param <T> the type of the events
 */
public record TypedTopic<T>(Topic topic, EventCodec<T> codec) {

    public TypedTopic {
        Objects.requireNonNull(topic, "topic");
        Objects.requireNonNull(codec, "codec");
    }
}
