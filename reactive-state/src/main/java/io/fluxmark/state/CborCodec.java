package io.fluxmark.state;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.dataformat.cbor.databind.CBORMapper;
import io.fluxmark.windows.Codec;
import java.io.IOException;
import java.util.Objects;

/**
 * Records and plain classes as Jackson reads and writes them, in CBOR. Fields that are missing in stored bytes get their
 * default, unknown ones are an error: give a codec of your own where a type must evolve further. Thread-safe.
 *
 * @param <V> the type of the values
 */
public final class CborCodec<V> implements Codec<V> {

    private static final CBORMapper MAPPER = CBORMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private final String id;
    private final ObjectWriter writer;
    private final ObjectReader reader;

    private CborCodec(Class<V> type) {
        id = "cbor:" + type.getName();
        writer = MAPPER.writerFor(type);
        reader = MAPPER.readerFor(type);
    }

    /** The codec of a class; its id is {@code cbor:} and the class name. */
    public static <V> CborCodec<V> of(Class<V> type) {
        return new CborCodec<>(Objects.requireNonNull(type, "type"));
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public byte[] encode(V value) {
        try {
            return writer.writeValueAsBytes(Objects.requireNonNull(value, "value"));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(
                    "A value of " + id + " cannot be written; make it a record of types that Jackson knows", e);
        }
    }

    @Override
    public V decode(byte[] bytes) {
        try {
            V value = reader.readValue(bytes);
            if (value == null) {
                throw new IllegalArgumentException(bytes.length + " bytes are a null, not a value of " + id);
            }
            return value;
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    bytes.length + " bytes are not a value of " + id + "; use the codec that wrote them", e);
        }
    }
}
