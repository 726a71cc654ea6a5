package io.fluxmark.cli.log;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fluxmark.log.AppendRecord;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Makes records of JSON lines: the value is the line, the key one of its fields. Not thread-safe. */
final class RecordInput {

    /** The longest line: with its key it has to fit into a record. */
    static final int MAX_LINE = 8 << 20;

    private static final ObjectReader JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build()
            .readerFor(JsonNode.class);

    private final ByteLines lines;
    private final @Nullable JsonPointer key;
    private final @Nullable Integer partition;
    private final int partitions;
    private long records;

    /**
     * @param key a top-level member, or a JSON pointer; null for records without key
     * @param partition where all records go; null for the one of the key, or without key one after the other
     */
    RecordInput(InputStream in, @Nullable String key, @Nullable Integer partition, int partitions) {
        this.lines = new ByteLines(in, MAX_LINE);
        this.key = key == null ? null : pointer(key);
        this.partition = partition;
        this.partitions = partitions;
    }

    /** A field as a pointer. */
    static JsonPointer pointer(String field) {
        return JsonPointer.compile(
                field.startsWith("/") ? field : "/" + field.replace("~", "~0").replace("/", "~1"));
    }

    /**
     * The next record, or null at the end. Empty lines are passed over.
     *
     * @throws BadInputException if a line is no JSON, or has no such key
     */
    @Nullable
    AppendRecord next() throws IOException {
        for (; ; ) {
            byte[] line = lines.next();
            if (line == null) {
                return null;
            }
            if (!isBlank(line)) {
                return record(line);
            }
        }
    }

    private AppendRecord record(byte[] line) throws IOException {
        JsonNode json;
        try {
            json = JSON.readTree(line);
        } catch (JsonProcessingException e) {
            throw new BadInputException(lines.number(), "this is not JSON: " + e.getOriginalMessage());
        }
        byte[] text = key == null ? null : keyOf(json, key);
        int next = (int) (records++ % partitions);
        if (partition != null) {
            return AppendRecord.to(partition, text, line);
        }
        return text == null ? AppendRecord.to(next, line) : AppendRecord.of(text, line);
    }

    private byte[] keyOf(JsonNode json, JsonPointer pointer) {
        JsonNode found = json.at(pointer);
        if (!found.isValueNode() || found.isNull()) {
            throw new BadInputException(
                    lines.number(),
                    (found.isMissingNode() ? "it has no field " : "it has no text or number in ") + pointer
                            + " to be the key");
        }
        return found.asText().getBytes(StandardCharsets.UTF_8);
    }

    private static boolean isBlank(byte[] line) {
        for (byte each : line) {
            if (each != ' ' && each != '\t') {
                return false;
            }
        }
        return true;
    }
}
