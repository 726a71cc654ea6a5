package io.fluxmark.log;

import java.nio.file.Path;
import java.util.Objects;

/**
 * Records that {@link EventLog#repair} gave up.
 *
 * @param topic the topic
 * @param partition the partition's number
 * @param segment the file they should be in; beside it lies a copy of it as it was, with the suffix {@code .corrupt}
 * @param from the first offset lost
 * @param until the offset after the last one lost
 */
public record LostRange(String topic, int partition, Path segment, long from, long until) {

    public LostRange {
        Objects.requireNonNull(topic, "topic");
        Objects.requireNonNull(segment, "segment");
    }
}
