package io.fluxmark.cli.store;

import io.fluxmark.state.StoreTable;
import java.util.Locale;

/** What users call the sinks of a table of the store. Stateless. */
final class SinkKind {

    private SinkKind() {}

    static String of(StoreTable table) {
        return table == StoreTable.ROWS ? "table" : table.name().toLowerCase(Locale.ROOT);
    }
}
