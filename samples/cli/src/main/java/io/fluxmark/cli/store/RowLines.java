package io.fluxmark.cli.store;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fluxmark.log.LogRecord;
import io.fluxmark.sinks.DeadLetter;
import io.fluxmark.sinks.SideTable;
import io.fluxmark.windows.LateEvent;
import io.fluxmark.windows.TimeWindow;
import io.fluxmark.windows.WindowResult;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes rows as JSON lines. Bytes that no codec is known for are {@code {"base64":"..."}}. Not thread-safe. */
final class RowLines implements Closeable {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final JsonGenerator json;

    /** Does not own {@code out}. */
    RowLines(OutputStream out) throws IOException {
        json = JSON.getFactory().createGenerator(out);
        json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
        json.setPrettyPrinter(new MinimalPrettyPrinter(""));
    }

    void write(WindowResult<Object, Object> result) throws IOException {
        json.writeStartObject();
        json.writeFieldName("key");
        write(result.key());
        json.writeFieldName("window");
        write(result.window());
        json.writeFieldName("value");
        write(result.value());
        json.writeStringField("kind", result.kind().name());
        json.writeNumberField("revision", result.revision());
        json.writeNumberField("late", result.late());
        json.writeStringField("watermark", TimeText.of(result.watermark()));
        if (result.byTimeout()) {
            json.writeBooleanField("byTimeout", true);
        }
        end();
    }

    void write(LateEvent<Object> event) throws IOException {
        json.writeStartObject();
        json.writeStringField("timestamp", TimeText.of(event.timestamp()));
        json.writeStringField("watermark", TimeText.of(event.watermark()));
        json.writeArrayFieldStart("windows");
        for (TimeWindow window : event.windows()) {
            write(window);
        }
        json.writeEndArray();
        json.writeFieldName("value");
        write(event.value());
        end();
    }

    void write(SideTable.Row<Object> row) throws IOException {
        json.writeStartObject();
        json.writeStringField("timestamp", TimeText.of(row.timestamp()));
        json.writeNumberField("sign", row.sign());
        json.writeFieldName("value");
        write(row.value());
        end();
    }

    void write(DeadLetter letter) throws IOException {
        LogRecord record = letter.record();
        json.writeStartObject();
        json.writeStringField("topic", letter.topic());
        json.writeNumberField("partition", record.partition());
        json.writeNumberField("offset", record.offset());
        json.writeFieldName("key");
        writeBytes(record.key());
        json.writeFieldName("value");
        writeBytes(record.value());
        json.writeStringField("reason", letter.reason());
        json.writeStringField("cause", letter.cause());
        end();
    }

    @Override
    public void close() throws IOException {
        json.close();
    }

    private void end() throws IOException {
        json.writeEndObject();
        json.writeRaw('\n');
    }

    private void write(TimeWindow window) throws IOException {
        json.writeStartArray();
        json.writeString(TimeText.of(window.start()));
        json.writeString(TimeText.of(window.end()));
        json.writeEndArray();
    }

    /** As a string where they are UTF-8. */
    private void writeBytes(byte @Nullable [] bytes) throws IOException {
        if (bytes == null) {
            json.writeNull();
            return;
        }
        String text = new String(bytes, StandardCharsets.UTF_8);
        write(Arrays.equals(text.getBytes(StandardCharsets.UTF_8), bytes) ? text : new StoredValue.Opaque(bytes));
    }

    private void write(Object value) throws IOException {
        if (value instanceof StoredValue.Opaque opaque) {
            json.writeStartObject();
            json.writeBinaryField("base64", opaque.bytes());
            json.writeEndObject();
        } else if (value instanceof JsonNode tree) {
            JSON.writeTree(json, tree);
        } else if (value instanceof List<?> list) {
            json.writeStartArray();
            for (Object item : list) {
                write(item);
            }
            json.writeEndArray();
        } else if (value instanceof long[] longs) {
            json.writeArray(longs, 0, longs.length);
        } else if (value instanceof Long || value instanceof Integer) {
            json.writeNumber(((Number) value).longValue());
        } else if (value instanceof Double number) {
            json.writeNumber(number);
        } else if (value instanceof Boolean truth) {
            json.writeBoolean(truth);
        } else {
            json.writeString(value.toString());
        }
    }
}
