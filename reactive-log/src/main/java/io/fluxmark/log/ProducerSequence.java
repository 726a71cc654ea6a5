package io.fluxmark.log;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The identity of one append, so that repeating it stores nothing twice.
 *
 * <p>Per partition and producer the sequences of new records rise strictly; gaps are allowed (the row numbers of a file, for
 * example). A sequence at or below the highest stored one is answered with the offset of its first append. If it was never
 * stored, the whole request fails with {@link OutOfOrderSequenceException}.
 *
 * @param producer a name of 1 to 200 characters that is stable over restarts
 * @param sequence not negative
 */
public record ProducerSequence(String producer, long sequence) {

    private static final int MAX_NAME = 200;

    public ProducerSequence {
        Objects.requireNonNull(producer, "producer");
        if (producer.isEmpty() || producer.length() > MAX_NAME) {
            throw new IllegalArgumentException("producer must have 1 to " + MAX_NAME + " characters but has "
                    + producer.length() + "; use a short stable name");
        }
        if (sequence < 0) {
            throw new IllegalArgumentException(
                    "sequence must not be negative but was " + sequence + "; number records from 0");
        }
    }

    /** The sequence a record's last two headers say, or null. */
    static @Nullable ProducerSequence in(List<Header> headers) {
        int count = headers.size();
        if (count < 2) {
            return null;
        }
        Header name = headers.get(count - 2);
        Header number = headers.get(count - 1);
        byte[] producer = name.value();
        byte[] sequence = number.value();
        if (!name.name().equals(Header.PRODUCER)
                || !number.name().equals(Header.SEQUENCE)
                || producer == null
                || sequence == null
                || sequence.length != Long.BYTES) {
            return null;
        }
        return new ProducerSequence(
                new String(producer, StandardCharsets.UTF_8),
                ByteBuffer.wrap(sequence).getLong());
    }
}
