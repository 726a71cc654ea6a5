package io.fluxmark.log;

/**
 * Something that happened to a partition in a group; the times between them are the pauses of a rebalance.
 *
 * @param kind what
 * @param member whose partition it is, or was
 * @param partition which
 * @param generation the generation in which the member got it
 * @param nanos when, by the log's clock, in nanoseconds
 */
public record GroupEvent(Kind kind, String member, PartitionId partition, long generation, long nanos) {

    /** What happens to a partition, in this order. */
    public enum Kind {
        /** The member has it and may read. */
        ASSIGNED,
        /** The first record since then was handed to the member. */
        FIRST_RECORD,
        /** The member gets nothing of it any more, and is to finish what it has. */
        REVOKED,
        /** The member's last offset is committed: the partition is free. */
        RELEASED
    }
}
