package io.fluxmark.log;

/**
 * A sequence at or below the highest one of its producer that was never stored, or of which nobody knows any more whether it was.
 * Nothing of its request is stored.
 */
public final class OutOfOrderSequenceException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final long highest;
    private final boolean deleted;

    OutOfOrderSequenceException(String partition, ProducerSequence sequence, long highest) {
        this(
                name(sequence, partition) + " was never stored, but " + highest
                        + " was; append each producer's records in rising order, one request after the other",
                highest,
                false);
    }

    private OutOfOrderSequenceException(String message, long highest, boolean deleted) {
        super(message);
        this.highest = highest;
        this.deleted = deleted;
    }

    static OutOfOrderSequenceException deleted(String partition, ProducerSequence sequence, long highest) {
        return new OutOfOrderSequenceException(
                name(sequence, partition) + " is far below " + highest
                        + ", the highest stored, and retention or"
                        + " compaction has deleted the records that would tell whether it was stored; repeat only what was not answered",
                highest,
                true);
    }

    private static String name(ProducerSequence sequence, String partition) {
        return "sequence " + sequence.sequence() + " of producer '" + sequence.producer() + "' in " + partition;
    }

    /** The highest sequence known for the producer. */
    public long highest() {
        return highest;
    }

    /** Whether the records that would tell are deleted: a producer that sends one request after the other had stored it. */
    public boolean isDeleted() {
        return deleted;
    }
}
