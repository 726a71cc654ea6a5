package io.fluxmark.cli.log;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import io.fluxmark.log.BatchInfo;
import io.fluxmark.log.CorruptSegmentException;
import io.fluxmark.log.Header;
import io.fluxmark.log.LogRecord;
import io.fluxmark.log.ProducerSequence;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes records and batches as JSON lines. Bytes that are UTF-8 are a string, others {@code {"base64":"..."}}; a value that is JSON is
 * embedded as it is. Not thread-safe.
 */
final class JsonLines implements Closeable {

    private static final JsonFactory JSON = new JsonFactory();

    private final JsonGenerator json;

    /** Does not own {@code out}. */
    JsonLines(OutputStream out) throws IOException {
        json = JSON.createGenerator(out);
        json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
        json.setPrettyPrinter(new MinimalPrettyPrinter(""));
    }

    void write(LogRecord record) throws IOException {
        json.writeStartObject();
        json.writeNumberField("partition", record.partition());
        json.writeNumberField("offset", record.offset());
        json.writeNumberField("timestamp", record.appendTime());
        json.writeFieldName("key");
        writeText(record.key());
        json.writeFieldName("value");
        writeValue(record.value());
        json.writeObjectFieldStart("headers");
        writeHeaders(record);
        json.writeEndObject();
        end();
    }

    void write(int partition, BatchInfo batch) throws IOException {
        json.writeStartObject();
        json.writeNumberField("partition", partition);
        json.writeStringField("segment", String.valueOf(batch.segment().getFileName()));
        json.writeNumberField("position", batch.position());
        json.writeNumberField("bytes", batch.bytes());
        json.writeNumberField("baseOffset", batch.baseOffset());
        json.writeNumberField("lastOffset", batch.lastOffset());
        json.writeNumberField("records", batch.records());
        json.writeStringField("compression", batch.compression());
        json.writeStringField("crc", String.format(Locale.ROOT, "%08x", batch.crc()));
        json.writeNumberField("baseTimestamp", batch.baseTimestamp());
        json.writeNumberField("maxTimestamp", batch.maxTimestamp());
        json.writeStringField("timestamps", batch.appendTime() ? "append" : "create");
        json.writeNumberField("producerId", batch.producerId());
        json.writeNumberField("producerEpoch", batch.producerEpoch());
        json.writeNumberField("baseSequence", batch.baseSequence());
        json.writeBooleanField("transactional", batch.transactional());
        json.writeBooleanField("control", batch.control());
        end();
    }

    void write(int partition, CorruptSegmentException damage) throws IOException {
        json.writeStartObject();
        json.writeNumberField("partition", partition);
        json.writeStringField("segment", damage.segment());
        json.writeNumberField("position", damage.position());
        json.writeNumberField("lostFrom", damage.offset());
        json.writeNumberField("lostUntil", damage.lostUntil());
        end();
    }

    /** Hands on what is buffered. */
    void flush() throws IOException {
        json.flush();
    }

    @Override
    public void close() throws IOException {
        json.close();
    }

    private void end() throws IOException {
        json.writeEndObject();
        json.writeRaw('\n');
    }

    /** Names may repeat: then the member is an array. */
    private void writeHeaders(LogRecord record) throws IOException {
        Map<String, List<Header>> byName = new LinkedHashMap<>();
        record.headers().forEach(header -> byName.computeIfAbsent(header.name(), name -> new ArrayList<>())
                .add(header));
        ProducerSequence sequence = record.sequence().orElse(null);
        for (Map.Entry<String, List<Header>> each : byName.entrySet()) {
            json.writeFieldName(each.getKey());
            if (sequence != null && each.getKey().equals(Header.SEQUENCE)) {
                json.writeNumber(sequence.sequence());
            } else if (each.getValue().size() == 1) {
                writeText(each.getValue().get(0).value());
            } else {
                json.writeStartArray();
                for (Header header : each.getValue()) {
                    writeText(header.value());
                }
                json.writeEndArray();
            }
        }
    }

    private void writeValue(byte @Nullable [] bytes) throws IOException {
        String text = bytes == null ? null : textOf(bytes);
        if (text != null && isJson(text)) {
            // Line breaks between tokens are white space; those in strings are escaped.
            json.writeRawValue(text.strip().replace('\n', ' ').replace('\r', ' '));
        } else {
            writeText(bytes);
        }
    }

    private void writeText(byte @Nullable [] bytes) throws IOException {
        String text = bytes == null ? null : textOf(bytes);
        if (text != null) {
            json.writeString(text);
        } else if (bytes == null) {
            json.writeNull();
        } else {
            json.writeStartObject();
            json.writeBinaryField("base64", bytes);
            json.writeEndObject();
        }
    }

    /** Null if they are not UTF-8. */
    private static @Nullable String textOf(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    private static boolean isJson(String text) {
        try (JsonParser parser = JSON.createParser(text)) {
            if (parser.nextToken() == null) {
                return false;
            }
            parser.skipChildren();
            return parser.nextToken() == null;
        } catch (IOException e) {
            return false;
        }
    }
}
