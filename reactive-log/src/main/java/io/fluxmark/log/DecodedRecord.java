package io.fluxmark.log;

import java.util.Objects;

/**
 * What a codec made of a record: its event, or, where it could make none, a dead letter.
 *
 * @param <T> the type of the events
 */
public sealed interface DecodedRecord<T> {

    /** The record, with its partition and offset. */
    LogRecord record();

    /**
     * A record that was decoded.
     *
     * @param event what is in it
     */
    record Event<T>(LogRecord record, T event) implements DecodedRecord<T> {

        public Event {
            Objects.requireNonNull(record, "record");
            Objects.requireNonNull(event, "event");
        }
    }

    /**
     * A record that can't be decoded.
     *
     * @param cause what the codec threw
     */
    record DeadLetter<T>(LogRecord record, RuntimeException cause) implements DecodedRecord<T> {

        public DeadLetter {
            Objects.requireNonNull(record, "record");
            Objects.requireNonNull(cause, "cause");
        }

        /** The partition it came from. */
        public int partition() {
            return record.partition();
        }

        /** Where in the partition it is. */
        public long offset() {
            return record.offset();
        }
    }
}
