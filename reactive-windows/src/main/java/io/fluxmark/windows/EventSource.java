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

    /**
     * This source and another one as one, for a join: {@link #openMerged} reads the partitions of both in one stream, in a lane
     * first those of this one. With {@code merged} one lane is over all of them, and {@link #partitions} says how many they are;
     * without it a lane is over one of each, of the same number.
     *
     * @throws IllegalStateException where they can't be read together
     */
    default EventSource<S> joinedWith(EventSource<?> other, boolean merged) {
        throw new IllegalStateException(name() + " can't be read together with " + other.name() + " for a join");
    }

    /** The elements of one lane: runs, watermarks and the job's barriers, from the lane's restored positions. */
    Flux<StreamElement<S>> open(LaneContext lane);

    /**
     * The same of a lane over several partitions, numbered from 0: the events of all of them in one stream, read next that
     * with the lowest {@link MergedEvent#order} of those that come first in their partitions, of equal ones that of the
     * lowest partition. A partition that has more to give is waited for.
     *
     * @param reader makes events of records; to be called in the order of each partition
     */
    default <T> Flux<StreamElement<MergedEvent<T>>> openMerged(LaneContext lane, MergedEventReader<S, T> reader) {
        return Flux.error(new UnsupportedOperationException(
                name() + " can't merge its partitions: use keyByRecordKey with the key that they are partitioned by"));
    }
}
