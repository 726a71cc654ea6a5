package io.fluxmark.log;

/**
 * A sequence at or below the highest one of its producer that was never stored. Nothing of its request is stored.
 */
public final class OutOfOrderSequenceException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final long highest;

    OutOfOrderSequenceException(String partition, ProducerSequence sequence, long highest) {
        super("sequence " + sequence.sequence() + " of producer '" + sequence.producer() + "' in " + partition
                + " was never stored, but " + highest
                + " was; append each producer's records in rising order, one request after the other");
        this.highest = highest;
    }

    /** The highest sequence known for the producer. */
    public long highest() {
        return highest;
    }
}
