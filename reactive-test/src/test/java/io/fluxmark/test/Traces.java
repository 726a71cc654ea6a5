package io.fluxmark.test;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;

/** The recorded runs of a reference model; what is in them stands in resources/traces/README.md. */
public final class Traces {

    private Traces() {}

    /** The traces of a file. */
    public static List<JsonNode> of(String file) {
        try (InputStream in = Traces.class.getResourceAsStream("/traces/" + file)) {
            return List.of(new ObjectMapper().readValue(in, JsonNode[].class));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The words of a field. */
    public static List<String> words(JsonNode trace, String field) {
        String all = trace.get(field).asText();
        return all.isEmpty() ? List.of() : List.of(all.split(" "));
    }
}
