package io.fluxmark.aggregate.input;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row of a table.
 *
 * @param unset the text that marks a value as unset, or null
 */
record TableRecord(long line, Header header, List<String> cells, @Nullable String unset) implements EventRecord {

    @Override
    public @Nullable String rawText(Field field) {
        int index = header.indexOf(field.name());
        return index < 0 || index >= cells.size() ? null : cells.get(index);
    }

    @Override
    public @Nullable String text(Field field) {
        String text = rawText(field);
        return text == null || text.equals(unset) ? null : text;
    }

    @Override
    public String fieldNames() {
        return String.join(", ", header.names());
    }

    @Override
    public JsonNode toJson() {
        ObjectNode object = JsonRecord.MAPPER.createObjectNode();
        for (int i = 0; i < Math.min(cells.size(), header.size()); i++) {
            object.put(header.names().get(i), cells.get(i).equals(unset) ? null : cells.get(i));
        }
        return object;
    }
}
