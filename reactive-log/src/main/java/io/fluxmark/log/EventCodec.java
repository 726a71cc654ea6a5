package io.fluxmark.log;

import java.util.Objects;
import java.util.function.Function;

/**
 * Turns records into events and back. The ones here are for text, bytes, numbers, JSON and CBOR; any other format is an
 * implementation of this interface, of which {@link #decode} is enough to read. Implementations are stateless or thread-safe; a
 * failure is an unchecked exception that says what is wrong and where.
 *
 * <p>A record that can't be decoded need not end a stream: {@link #tryDecode} makes it a value, to be routed like any other.
 *
 * <pre>{@code
 * partition.read(0).map(codec::tryDecode).handle((decoded, sink) -> {
 *     if (decoded instanceof DecodedRecord.DeadLetter<Order> dead) {
 *         rejected.accept(dead);                // partition, offset and cause
 *     } else if (decoded instanceof DecodedRecord.Event<Order> order) {
 *         sink.next(order.event());
 *     }
 * });
 * }</pre>
 *
 * @param <T> the type of the events
 */
@FunctionalInterface
public interface EventCodec<T> {

    /**
     * The event in the record. Never null.
     *
     * @throws RuntimeException if the record holds none
     */
    T decode(LogRecord record);

    /**
     * The event in a record that lies among others, the same as {@link #decode} makes: what a job calls for each. Worth overriding
     * where an event can be made without an array of its own for the value.
     */
    default T decodeView(RecordView view) {
        return decode(view.record());
    }

    /** The event in the record, or the record as a dead letter with what {@link #decode} threw. */
    default DecodedRecord<T> tryDecode(LogRecord record) {
        try {
            return new DecodedRecord.Event<>(record, Objects.requireNonNull(decode(record), "decoded to null"));
        } catch (RuntimeException e) {
            return new DecodedRecord.DeadLetter<>(record, e);
        }
    }

    /**
     * A record for the event.
     *
     * @throws UnsupportedOperationException unless the codec can encode
     */
    default AppendRecord encode(T event) {
        throw new UnsupportedOperationException(
                "codec " + getClass().getName() + " only decodes; override encode to append with it");
    }

    /**
     * One JSON value in the record's value, no key: encoded records go to partition 0 unless placed. Properties that the type
     * does not have are ignored, so that older readers understand newer events.
     *
     * @throws IllegalStateException if {@code com.fasterxml.jackson.core:jackson-databind} is not on the class path
     */
    static <T> EventCodec<T> json(Class<T> type) {
        return PlainCodecs.json(Objects.requireNonNull(type, "type"), null);
    }

    /** The same with the given key as UTF-8. */
    static <T> EventCodec<T> json(Class<T> type, Function<? super T, String> key) {
        return PlainCodecs.json(Objects.requireNonNull(type, "type"), Objects.requireNonNull(key, "key"));
    }

    /**
     * The same as {@link #json(Class)} in CBOR (RFC 8949), JSON's binary sibling.
     *
     * @throws IllegalStateException if {@code com.fasterxml.jackson.dataformat:jackson-dataformat-cbor} is not on the class path
     */
    static <T> EventCodec<T> cbor(Class<T> type) {
        return PlainCodecs.cbor(Objects.requireNonNull(type, "type"), null);
    }

    /** The same with the given key as UTF-8. */
    static <T> EventCodec<T> cbor(Class<T> type, Function<? super T, String> key) {
        return PlainCodecs.cbor(Objects.requireNonNull(type, "type"), Objects.requireNonNull(key, "key"));
    }

    /** UTF-8 text in the value, no key: encoded records go to partition 0 unless placed. Other bytes are refused. */
    static EventCodec<String> utf8() {
        return PlainCodecs.UTF_8;
    }

    /** The value as it is, not copied, no key: encoded records go to partition 0 unless placed. */
    static EventCodec<byte[]> bytes() {
        return PlainCodecs.BYTES;
    }

    /** A number as eight bytes, big-endian, as Kafka's serializer writes it; no key, like the others. */
    static EventCodec<Long> int64() {
        return PlainCodecs.INT64;
    }
}
