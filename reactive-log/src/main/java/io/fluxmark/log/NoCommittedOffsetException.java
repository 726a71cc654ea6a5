package io.fluxmark.log;

/** The group has no usable offset for a partition, and is to begin nowhere without one ({@link OffsetPolicy#FAIL}). */
public final class NoCommittedOffsetException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    NoCommittedOffsetException(String group, PartitionId partition, String why) {
        super("group " + group + " cannot begin in " + partition + ": " + why
                + "; reset its offsets, or choose OffsetPolicy.EARLIEST or LATEST in GroupSpec.start");
    }
}
