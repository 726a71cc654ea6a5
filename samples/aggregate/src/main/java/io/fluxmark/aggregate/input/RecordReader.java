package io.fluxmark.aggregate.input;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads records one by one; not thread-safe. What it holds in memory is one record. */
public interface RecordReader extends Closeable {

    /**
     * The next record, or null at the end of the input.
     *
     * @throws MalformedRecordException for one that can't be used; the reader goes on behind it
     */
    @Nullable
    EventRecord next() throws IOException, MalformedRecordException;

    /** Whether the next record may have to be waited for: the moment to hand on what is held back. */
    default boolean mayBlock() {
        return false;
    }

    /** The columns, where the format names them before the first record; null where every record has its own. */
    default @Nullable List<String> columns() {
        return null;
    }
}
