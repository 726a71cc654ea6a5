package io.fluxmark.windows;

import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/**
 * On how many threads the groups of a stage are worked on.
 *
 * @param lanes 1 to {@link KeyGroups#COUNT}
 * @param scheduler whose workers they are; null for the clock of the lane
 */
record Parallelism(int lanes, @Nullable Scheduler scheduler) {

    Parallelism {
        if (lanes < 1 || lanes > KeyGroups.COUNT) {
            throw new IllegalArgumentException("keys are divided among 1.." + KeyGroups.COUNT
                    + " lanes but were to be among " + lanes + ": there are that many groups of keys");
        }
    }

    Scheduler scheduler(LaneContext lane) {
        return scheduler == null ? lane.clock() : scheduler;
    }

    /** The number of the lane that works on a group. */
    int laneOf(int group) {
        return group % lanes;
    }
}
