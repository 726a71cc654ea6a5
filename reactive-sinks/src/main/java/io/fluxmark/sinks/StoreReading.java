package io.fluxmark.sinks;

import io.fluxmark.state.StateStore;
import io.fluxmark.state.StateStoreException;
import io.fluxmark.state.StoreEntry;
import io.fluxmark.state.StoreSnapshot;
import io.fluxmark.state.StoreTable;
import java.util.Arrays;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Reads all of a store, to see whether it can be read. */
final class StoreReading {

    private static final byte[] FIRST = {};

    private StoreReading() {}

    /** How many entries there are, of one commit, each with the right checksum; {@link StateStoreException} if not. */
    static Mono<Long> everything(StateStore store) {
        return store.snapshot(StoreReading::entries)
                .count()
                // A page that is nonsense may show itself in any way.
                .onErrorMap(
                        failure -> failure instanceof RuntimeException && !(failure instanceof StateStoreException),
                        failure -> new StateStoreException("The store has a page that cannot be read", failure));
    }

    private static Flux<StoreEntry> entries(StoreSnapshot snapshot) {
        Flux<StoreEntry> tables = Flux.fromStream(() -> Arrays.stream(StoreTable.values()))
                .filter(table -> table != StoreTable.STATE)
                .concatMap(table -> snapshot.read(table, FIRST, null));
        Flux<StoreEntry> states = Flux.defer(() -> Flux.fromIterable(snapshot.lanes()))
                .concatMap(lane -> snapshot.readState(lane.job(), lane.lane(), FIRST, null));
        return tables.concatWith(states);
    }
}
