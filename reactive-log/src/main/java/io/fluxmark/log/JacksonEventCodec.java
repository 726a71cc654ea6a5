package io.fluxmark.log;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.MapperBuilder;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.cbor.databind.CBORMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One value of a Jackson format in each record. Unknown properties are ignored, so that older readers understand newer events;
 * anything behind the value is an error.
 */
final class JacksonEventCodec<T> implements EventCodec<T> {

    private final String format;
    private final ObjectMapper mapper;
    private final Class<T> type;
    private final @Nullable Function<? super T, String> key;

    private JacksonEventCodec(
            String format, ObjectMapper mapper, Class<T> type, @Nullable Function<? super T, String> key) {
        this.format = format;
        this.mapper = mapper;
        this.type = type;
        this.key = key;
    }

    static <T> EventCodec<T> json(Class<T> type, @Nullable Function<? super T, String> key) {
        return new JacksonEventCodec<>("JSON", Json.MAPPER, type, key);
    }

    static <T> EventCodec<T> cbor(Class<T> type, @Nullable Function<? super T, String> key) {
        return new JacksonEventCodec<>("CBOR", Cbor.MAPPER, type, key);
    }

    @Override
    public T decode(LogRecord record) {
        return decodeView(RecordView.of(record));
    }

    @Override
    public T decodeView(RecordView view) {
        T event;
        try {
            event = mapper.readValue(view.array(), view.valueOffset(), view.valueLength(), type);
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    view.place() + " is no " + format + " of " + type.getName() + ": " + e.getMessage(), e);
        }
        if (event == null) {
            throw new IllegalArgumentException(
                    view.place() + " is the " + format + " value null; append " + type.getName() + " objects only");
        }
        return event;
    }

    @Override
    public AppendRecord encode(T event) {
        byte[] value;
        try {
            value = mapper.writeValueAsBytes(event);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("cannot write " + event + " as " + format + ": " + e.getMessage(), e);
        }
        return key == null
                ? AppendRecord.to(0, value)
                : AppendRecord.of(key.apply(event).getBytes(StandardCharsets.UTF_8), value);
    }

    private static ObjectMapper build(MapperBuilder<?, ?> builder) {
        return builder.findAndAddModules()
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .build();
    }

    private static final class Json {
        static final ObjectMapper MAPPER = build(JsonMapper.builder());

        private Json() {}
    }

    /** Loaded by those who use it: its library may be missing where JSON is read. */
    private static final class Cbor {
        static final ObjectMapper MAPPER = build(CBORMapper.builder());

        private Cbor() {}
    }
}
