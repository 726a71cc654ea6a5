package io.fluxmark.http;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import io.fluxmark.log.AppendRecord;
import java.io.IOException;
import java.util.Arrays;

/**
 * Turns one structured CloudEvent 1.0 in JSON into a record, in one pass over its bytes.
 *
 * <p>{@code data} is never parsed into a tree or written again: its bytes are cut out by the offsets of its first and last token, so
 * numbers, escapes and spaces arrive as they were sent. Thread-safe.
 */
final class CloudEventParser {

    private static final int MAX_DEPTH = 100;
    private static final int MAX_NAME = 256;
    private static final int MAX_DIGITS = 1_000;

    private final JsonFactory json;

    CloudEventParser(int maxEventBytes) {
        json = new JsonFactoryBuilder()
                // Attribute names come from strangers: they must not stay in the JVM's table of interned strings.
                .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(MAX_DEPTH)
                        .maxNameLength(MAX_NAME)
                        .maxNumberLength(MAX_DIGITS)
                        .maxStringLength(maxEventBytes)
                        .build())
                .build();
    }

    /**
     * The record for the event in {@code bytes[from, to)}, which is valid UTF-8 and has no space at its ends.
     *
     * @throws CloudEventException if it is not a valid event
     */
    AppendRecord parse(byte[] bytes, int from, int to) {
        // The zero byte tells UTF-16 and UTF-32, which the parser would otherwise detect and accept.
        if (bytes[from] != '{' || (to - from > 1 && bytes[from + 1] == 0)) {
            throw new CloudEventException(
                    "not a JSON object in UTF-8; send one structured CloudEvent, {\"specversion\":\"1.0\",...}");
        }
        CloudEventDraft draft = new CloudEventDraft();
        try (JsonParser parser = json.createParser(bytes, from, to - from)) {
            parser.nextToken();
            String name;
            while ((name = parser.nextFieldName()) != null) {
                JsonToken token = parser.nextToken();
                draft.see(name);
                if (token != JsonToken.VALUE_NULL) {
                    member(draft, name, token, parser, bytes, from);
                }
            }
            if (parser.nextToken() != null) {
                throw new CloudEventException("more than one JSON value; separate events by a newline");
            }
            return draft.toRecord(this);
        } catch (StreamConstraintsException e) {
            throw new CloudEventException("JSON beyond the limits: " + e.getOriginalMessage());
        } catch (JacksonException e) {
            throw new CloudEventException("malformed JSON at byte "
                    + Math.max(0, e.getLocation().getByteOffset()) + ": " + e.getOriginalMessage());
        } catch (IOException e) {
            throw new CloudEventException("malformed JSON: " + e.getMessage());
        }
    }

    /** The text of a JSON string, quotes included in {@code literal}. */
    String text(byte[] literal) {
        try (JsonParser parser = json.createParser(literal)) {
            parser.nextToken();
            return parser.getText();
        } catch (IOException e) {
            throw new CloudEventException("malformed JSON string in data: " + e.getMessage());
        }
    }

    private static void member(
            CloudEventDraft draft, String name, JsonToken token, JsonParser parser, byte[] bytes, int from)
            throws IOException {
        if (name.equals("data")) {
            int start = from + (int) parser.currentTokenLocation().getByteOffset();
            if (token.isStructStart()) {
                parser.skipChildren();
            } else {
                parser.finishToken();
            }
            int end = from + (int) parser.currentLocation().getByteOffset();
            draft.data(Arrays.copyOfRange(bytes, start, end), token == JsonToken.VALUE_STRING);
            return;
        }
        switch (token) {
            case VALUE_STRING -> draft.text(name, parser.getText());
            case VALUE_NUMBER_INT -> draft.integer(name, parser.getText());
            case VALUE_TRUE, VALUE_FALSE -> draft.bool(name, token == JsonToken.VALUE_TRUE);
            default ->
                throw new CloudEventException(
                        "attribute " + Attributes.quoted(name)
                                + " is neither a string, an integer nor a boolean; send other values as a string or inside data");
        }
    }
}
