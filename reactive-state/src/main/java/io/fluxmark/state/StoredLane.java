package io.fluxmark.state;

import java.util.Objects;

/**
 * A lane as one commit of a store has it.
 *
 * @param job the job's name
 * @param lane the lane's number within the job
 * @param generation how many sessions the lane has had
 * @param record its newest transaction and the values of its record
 */
public record StoredLane(String job, int lane, long generation, LaneRecord record) {

    /** Rejects nulls. */
    public StoredLane {
        Objects.requireNonNull(job, "job");
        Objects.requireNonNull(record, "record");
    }
}
