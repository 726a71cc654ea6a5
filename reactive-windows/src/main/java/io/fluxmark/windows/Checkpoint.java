package io.fluxmark.windows;

import java.util.List;

/**
 * One durable commit of a job's store: what is in it survives any crash, what is not has not happened.
 *
 * @param job the job's name
 * @param commit the number of the store commit, rising
 * @param conflated how many earlier checkpoints were not delivered for want of demand; this one stands for them
 * @param lanes the lanes that are in the commit
 */
public record Checkpoint(String job, long commit, long conflated, List<LaneCheckpoint> lanes) {

    /** Copies {@code lanes}. */
    public Checkpoint {
        lanes = List.copyOf(lanes);
    }
}
