package io.fluxmark.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.ByteArrayBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Writes small JSON bodies. */
final class Json {

    private static final JsonFactory FACTORY = new JsonFactory();

    private Json() {}

    /** What to write. */
    interface Content {
        void writeTo(JsonGenerator json) throws IOException;
    }

    static byte[] write(Content content) {
        try (ByteArrayBuilder out = new ByteArrayBuilder()) {
            try (JsonGenerator json = FACTORY.createGenerator(out)) {
                content.writeTo(json);
            }
            return out.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
