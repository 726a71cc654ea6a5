package io.fluxmark.aggregate.input;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/** One record of the input, with its fields as text. */
public interface EventRecord {

    /** The line on which it begins, counted from 1. */
    long line();

    /** The text of {@code field}; null where it is missing or marked as unset. */
    @Nullable
    String text(Field field);

    /** The text of {@code field} as it stands, also where that marks it as unset; null where it is missing. */
    default @Nullable String rawText(Field field) {
        return text(field);
    }

    /** The names of the fields that it has, for messages. */
    String fieldNames();

    /** All of it, as JSON. */
    JsonNode toJson();
}
