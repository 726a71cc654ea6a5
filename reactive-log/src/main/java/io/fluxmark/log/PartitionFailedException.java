package io.fluxmark.log;

/**
 * Writing to a partition failed. The append it is thrown for is not acknowledged: its records may or may not be stored,
 * which a {@link ProducerSequence} makes harmless to repeat.
 */
public final class PartitionFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    PartitionFailedException(String partition, String what, String remedy, Throwable cause) {
        // One instance may be given to many requests: nothing may be added to it.
        super(partition + ": " + what + " (" + cause + "); " + remedy, cause, false, true);
    }
}
