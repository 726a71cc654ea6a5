package io.fluxmark.state;

/**
 * A lane's part in a store commit.
 *
 * @param job the job's name
 * @param lane the lane's number within the job
 * @param transaction the id of the lane's transaction that became durable
 */
public record LaneCommit(String job, int lane, long transaction) {}
