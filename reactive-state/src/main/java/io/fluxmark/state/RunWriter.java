package io.fluxmark.state;

import org.jspecify.annotations.Nullable;

/** Takes the changes that one barrier makes to a pane: into a run if it has a filter, else where the entries stand. */
final class RunWriter {

    private static final byte[] REMOVED = new byte[0];

    private final LaneTransaction transaction;
    private final byte[] prefix;
    private final @Nullable RunFilter filter;

    RunWriter(LaneTransaction transaction, byte[] prefix, @Nullable RunFilter filter) {
        this.transaction = transaction;
        this.prefix = prefix;
        this.filter = filter;
    }

    void put(byte[] key, byte[] value) {
        if (filter != null) {
            filter.add(key);
        }
        transaction.put(StoreTable.STATE, PaneKeys.concat(prefix, key), value);
    }

    void remove(byte[] key) {
        if (filter != null) {
            // What stands behind the run has to be hidden.
            put(key, REMOVED);
        } else {
            transaction.remove(StoreTable.STATE, PaneKeys.concat(prefix, key));
        }
    }
}
