package io.fluxmark.windows;

import reactor.core.publisher.Flux;

/**
 * A source with positions, which a job reads in lanes: the root of a recipe. Implemented by log sources.
 *
 * @param <S> what it emits
 */
public interface EventSource<S> {

    /** The name that positions carry, for a log the topic's. */
    String name();

    /** The number of partitions, fixed. */
    int partitions();

    /** The elements of one lane: runs, watermarks and the job's barriers, from the lane's restored positions. */
    Flux<StreamElement<S>> open(LaneContext lane);
}
