package io.fluxmark.log;

/**
 * Says what somebody, a group of consumers or a job, still needs of the log. Retention deletes nothing at or above it.
 *
 * @see EventLog#register(RetentionFloor)
 */
@FunctionalInterface
public interface RetentionFloor {

    /** The answer of somebody who needs nothing of a partition. */
    long NOTHING = Long.MAX_VALUE;

    /**
     * The lowest offset still needed: not of the newest commit, but of the oldest one that may be fallen back to.
     *
     * <p>Called on the log's writer thread before anything is deleted: it must answer at once, from memory. If it throws, nothing of
     * the partition is deleted.
     *
     * @return an offset, 0 to keep everything, or {@link #NOTHING}
     */
    long lowestNeeded(String topic, int partition);
}
