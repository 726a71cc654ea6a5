package io.fluxmark.sinks;

import io.fluxmark.state.Savepoints;
import java.nio.file.Path;
import java.util.Objects;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Where {@link StoreRecovery} finds the savepoints of a store. */
public interface SavepointSource {

    /**
     * Puts the store file of the newest savepoint into a directory that has none, durably. Cold.
     *
     * @param directory of the store, which is not open
     * @return whether there was a savepoint; without one, nothing is changed
     */
    Mono<Boolean> restoreNewest(Path directory);

    /**
     * The savepoints that {@link Savepoints#take} has put into a directory. Errors as {@link Savepoints#list} and
     * {@link Savepoints#restore} do.
     */
    static SavepointSource in(Path savepoints) {
        Objects.requireNonNull(savepoints, "savepoints");
        return directory -> Mono.fromCallable(() -> Savepoints.newest(savepoints))
                .subscribeOn(Schedulers.boundedElastic())
                .flatMap(newest -> newest.map(savepoint ->
                                Savepoints.restore(savepoint, directory).thenReturn(true))
                        .orElse(Mono.just(false)));
    }
}
