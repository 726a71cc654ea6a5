package io.fluxmark.aggregate.input;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import io.fluxmark.aggregate.DataException;
import io.fluxmark.aggregate.UsageException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The objects of one array of a JSON document, which is read as a stream: only the object at hand is in memory. Behind a
 * syntax error nothing of a document can be trusted, so that one ends the run.
 */
final class JsonArrayReader implements RecordReader {

    private final JsonParser parser;

    /** Goes to the array at {@code pointer}; the empty pointer is the document itself. */
    JsonArrayReader(InputStream in, JsonPointer pointer) throws IOException {
        parser = JsonRecord.MAPPER.createParser(in);
        try {
            JsonToken at = parser.nextToken();
            for (JsonPointer rest = pointer; !rest.matches(); rest = rest.tail()) {
                at = enter(at, rest, pointer);
            }
            if (at != JsonToken.START_ARRAY) {
                throw new UsageException("there is no array at '" + pointer + "' but " + (at == null ? "nothing" : at)
                        + ": use json:POINTER with the array's place");
            }
        } catch (JsonProcessingException e) {
            throw damaged(e);
        }
    }

    private JsonToken enter(@Nullable JsonToken at, JsonPointer step, JsonPointer whole) throws IOException {
        List<String> seen = new ArrayList<>();
        if (at == JsonToken.START_OBJECT) {
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                JsonToken value = parser.nextToken();
                if (step.matchesProperty(name)) {
                    return value;
                }
                seen.add(name);
                parser.skipChildren();
            }
        } else if (at == JsonToken.START_ARRAY) {
            int index = 0;
            for (JsonToken item = parser.nextToken(); item != JsonToken.END_ARRAY; item = parser.nextToken()) {
                if (step.matchesElement(index++)) {
                    return item;
                }
                parser.skipChildren();
            }
        }
        throw new UsageException("there is nothing at '" + whole + "': at '" + step.getMatchingProperty()
                + "' the document has " + (seen.isEmpty() ? "no members" : String.join(", ", seen)));
    }

    @Override
    public @Nullable EventRecord next() throws IOException, MalformedRecordException {
        long line;
        JsonNode node;
        try {
            if (parser.nextToken() == JsonToken.END_ARRAY) {
                return null;
            }
            line = parser.currentTokenLocation().getLineNr();
            node = parser.readValueAsTree();
        } catch (JsonProcessingException e) {
            throw damaged(e);
        }
        if (!node.isObject()) {
            throw new MalformedRecordException(line, "no JSON object but " + node.getNodeType());
        }
        return new JsonRecord(line, node);
    }

    private static DataException damaged(JsonProcessingException e) {
        long line = e.getLocation() == null ? 0 : e.getLocation().getLineNr();
        return new DataException("line " + line + ": the JSON document is damaged: " + e.getOriginalMessage());
    }

    @Override
    public void close() throws IOException {
        parser.close();
    }
}
