package io.fluxmark.log;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** JSON by Jackson. Unknown properties are ignored, so that older readers understand newer events. */
final class JsonEventCodec<T> implements EventCodec<T> {

    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .findAndAddModules()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private final Class<T> type;
    private final @Nullable Function<? super T, String> key;

    JsonEventCodec(Class<T> type, @Nullable Function<? super T, String> key) {
        this.type = type;
        this.key = key;
    }

    @Override
    public T decode(LogRecord record) {
        T event;
        try {
            event = MAPPER.readValue(record.requireValue(), type);
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "record at offset " + record.offset() + " is no JSON of " + type.getName() + ": " + e.getMessage(),
                    e);
        }
        if (event == null) {
            throw new IllegalArgumentException("record at offset " + record.offset()
                    + " is the JSON value null; append " + type.getName() + " objects only");
        }
        return event;
    }

    @Override
    public AppendRecord encode(T event) {
        byte[] value;
        try {
            value = MAPPER.writeValueAsBytes(event);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("cannot write " + event + " as JSON: " + e.getMessage(), e);
        }
        return key == null
                ? AppendRecord.to(0, value)
                : AppendRecord.of(key.apply(event).getBytes(StandardCharsets.UTF_8), value);
    }
}
