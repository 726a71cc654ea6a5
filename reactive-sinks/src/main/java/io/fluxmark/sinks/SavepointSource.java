package io.fluxmark.sinks;

import java.nio.file.Path;
import reactor.core.publisher.Mono;

/** Where {@link StoreRecovery} finds the savepoints of a store. */
public interface SavepointSource {

    /**
     * Puts the store file of the newest savepoint into a directory that has none, durably. Cold.
     *
     * @param directory of the store, which is not open
     * @return whether there was a savepoint; without one, nothing is changed
     */
    Mono<Boolean> restoreNewest(Path directory);
}
