package io.fluxmark.aggregate.input;

import com.fasterxml.jackson.core.JsonPointer;
import io.fluxmark.aggregate.UsageException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which part of a record is meant: a column or top-level member by its name, or a JSON pointer, which begins with a
 * slash. On columns a pointer of one token names the column.
 */
public final class Field {

    private final String text;
    private final String name;
    private final @Nullable JsonPointer pointer;

    private Field(String text) {
        this.text = text;
        this.pointer = text.startsWith("/") ? JsonPointer.compile(text) : null;
        this.name = pointer == null
                ? text
                : Objects.requireNonNullElse(pointer.last(), JsonPointer.empty())
                        .getMatchingProperty();
    }

    /** The field that {@code text} names. */
    public static Field of(String text) {
        if (text.isEmpty() || text.equals("/")) {
            throw new UsageException("'" + text + "' names no field: use a column's name, or a JSON pointer as /a/b");
        }
        return new Field(text);
    }

    /** The name of the column that is meant. */
    public String name() {
        return name;
    }

    /** The JSON pointer, or null for a plain name. */
    public @Nullable JsonPointer pointer() {
        return pointer;
    }

    /**
     * Checks that it is among the columns of a file.
     *
     * @param known the columns, or null where the format does not name them up front
     * @throws UsageException that names the known columns
     */
    public void requireAmong(@Nullable List<String> known) {
        if (known == null) {
            return;
        }
        boolean nested =
                pointer != null && pointer.tail() != null && !pointer.tail().matches();
        if (nested || !known.contains(name)) {
            throw new UsageException("the input has no field '" + text + "': it has " + String.join(", ", known));
        }
    }

    @Override
    public String toString() {
        return text;
    }
}
