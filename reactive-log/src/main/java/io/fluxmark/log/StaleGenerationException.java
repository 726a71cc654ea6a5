package io.fluxmark.log;

/** A commit came from a member that does not hold the partition any more. Nothing of it is committed; the new owner has these records. */
public final class StaleGenerationException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    StaleGenerationException(String group, String member, PartitionId partition, long generation, long current) {
        super("member " + member + " of group " + group + " committed " + partition + " for generation " + generation
                + ", which is over: the group is at " + current
                + "; drop what is in flight and go on with the newest assignment");
    }
}
