package io.fluxmark.log;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.function.Function;

/**
 * Turns records into events and back. Implementations are stateless or thread-safe; a failure is an unchecked exception.
 *
 * @param <T> the type of the events
 */
@FunctionalInterface
public interface EventCodec<T> {

    /** The event in the record. Never null. */
    T decode(LogRecord record);

    /**
     * A record for the event.
     *
     * @throws UnsupportedOperationException unless the codec can encode
     */
    default AppendRecord encode(T event) {
        throw new UnsupportedOperationException(
                "codec " + getClass().getName() + " only decodes; override encode to append with it");
    }

    /** JSON in the value, no key: encoded records go to partition 0 unless placed. Needs Jackson on the class path. */
    static <T> EventCodec<T> json(Class<T> type) {
        return new JsonEventCodec<>(Objects.requireNonNull(type, "type"), null);
    }

    /** JSON in the value, and the given key as UTF-8. Needs Jackson on the class path. */
    static <T> EventCodec<T> json(Class<T> type, Function<? super T, String> key) {
        return new JsonEventCodec<>(Objects.requireNonNull(type, "type"), Objects.requireNonNull(key, "key"));
    }

    /** UTF-8 text in the value, no key: encoded records go to partition 0 unless placed. */
    static EventCodec<String> utf8() {
        return new EventCodec<>() {
            @Override
            public String decode(LogRecord record) {
                return new String(record.requireValue(), StandardCharsets.UTF_8);
            }

            @Override
            public AppendRecord encode(String event) {
                return AppendRecord.to(0, event.getBytes(StandardCharsets.UTF_8));
            }
        };
    }
}
