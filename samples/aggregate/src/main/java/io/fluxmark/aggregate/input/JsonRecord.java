package io.fluxmark.aggregate.input;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import org.jspecify.annotations.Nullable;

/** A JSON object. Numbers keep their digits: a time with microseconds is not rounded by a double. */
record JsonRecord(long line, JsonNode node) implements EventRecord {

    static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    /** Of texts that hold one value and nothing else. */
    static final ObjectReader WHOLE = MAPPER.reader(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    @Override
    public @Nullable String text(Field field) {
        JsonPointer pointer = field.pointer();
        JsonNode value = pointer == null ? node.get(field.name()) : node.at(pointer);
        if (value == null || value.isMissingNode() || value.isNull()) {
            return null;
        }
        return value.isValueNode() ? value.asText() : value.toString();
    }

    @Override
    public String fieldNames() {
        return node.isObject() ? String.join(", ", (Iterable<String>) node::fieldNames) : "none";
    }

    @Override
    public JsonNode toJson() {
        return node;
    }
}
