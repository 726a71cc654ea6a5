package io.fluxmark.aggregate.run;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fluxmark.aggregate.input.EventRecord;
import io.fluxmark.aggregate.value.Value;
import io.fluxmark.windows.LateEvent;
import io.fluxmark.windows.TimeWindow;
import io.fluxmark.windows.WindowResult;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.List;

/** Writes JSON lines: results, or late events. */
public final class ResultWriter implements Closeable {

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
            .disable(JsonWriteFeature.WRITE_NAN_AS_STRINGS)
            .build();

    private final JsonGenerator json;

    /** Owns {@code out}. */
    public ResultWriter(OutputStream out) throws IOException {
        json = MAPPER.createGenerator(out);
        json.setPrettyPrinter(new MinimalPrettyPrinter(""));
    }

    /** Writes a result that was emitted while the clock stood at {@code at}. */
    public void write(WindowResult<Object, Value> result, long at) {
        try {
            json.writeStartObject();
            json.writeStringField("kind", result.kind().name());
            json.writeFieldName("key");
            writeKey(result.key());
            json.writeNumberField("start", result.window().start());
            json.writeNumberField("end", result.window().end());
            json.writeFieldName("value");
            result.value().write(json);
            json.writeNumberField("revision", result.revision());
            json.writeNumberField("watermark", result.watermark());
            json.writeNumberField("at", at);
            json.writeNumberField("lateForWindow", result.late());
            if (result.byTimeout()) {
                json.writeBooleanField("byTimeout", true);
            }
            json.writeEndObject();
            json.writeRaw('\n');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void writeKey(Object key) throws IOException {
        if (key instanceof List<?> parts) {
            json.writeStartArray();
            for (Object part : parts) {
                json.writeString(part.toString());
            }
            json.writeEndArray();
        } else {
            json.writeString(key.toString());
        }
    }

    /** Writes an event that came too late. */
    public void write(LateEvent<Event> late) {
        try {
            json.writeStartObject();
            json.writeFieldName("event");
            EventRecord origin = late.value().origin();
            if (origin == null) {
                json.writeNull();
            } else {
                json.writeTree(origin.toJson());
            }
            json.writeNumberField("timestamp", late.timestamp());
            json.writeNumberField("watermark", late.watermark());
            json.writeNumberField("lateBy", late.lateBy());
            json.writeArrayFieldStart("windows");
            for (TimeWindow window : late.windows()) {
                json.writeArray(new long[] {window.start(), window.end()}, 0, 2);
            }
            json.writeEndArray();
            json.writeEndObject();
            json.writeRaw('\n');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Hands on what is buffered. */
    public void flush() throws IOException {
        json.flush();
    }

    @Override
    public void close() throws IOException {
        json.close();
    }
}
