package io.fluxmark.sinks;

import io.fluxmark.state.StateStore;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A store that {@link StoreRecovery} has opened.
 *
 * @param store open; to be closed by whoever asked for it
 * @param origin where its contents come from
 * @param setAside the damaged file, kept beside the store until somebody deletes it; null if there was no damage
 */
public record RecoveredStore(StateStore store, Origin origin, @Nullable Path setAside) {

    /** Where the contents of a store come from. */
    public enum Origin {
        /** The store's own file, which was sound. */
        OWN_FILE,

        /** Nowhere: it is empty, and its jobs read the whole log again. */
        EMPTY,

        /** A savepoint, from where the jobs go on. */
        SAVEPOINT
    }
}
