package io.fluxmark.sinks;

import io.fluxmark.state.StateStore;
import io.fluxmark.state.StoreSnapshot;
import java.util.Objects;
import reactor.core.publisher.Mono;

/**
 * A stable hash of what a store has committed: job, window, key, revision, kind and value of every row of tables and
 * changelogs, the late events, the dead letters of records and functions, the rows of side tables, and the counters of every lane.
 * Two stores with the same contents have the same digest,
 * whatever their commit numbers, the order in which lanes were opened, and the layout of their files are.
 *
 * <p>Not covered: a row's watermark and late count, a late event's watermark, positions, and operators' state, since these depend on
 * where barriers and runs of events fall; when a dead letter's
 * record was appended, and the text of what was thrown, which a JVM may leave out; what waits to be delivered, or never was.
 *
 * @param hash 64 hexadecimal digits
 * @param rows how many rows of tables it covers
 * @param changes how many rows of changelogs
 * @param late how many late events
 * @param dead how many dead letters, of records that could not be used and of events that functions failed on
 * @param side how many rows of side tables
 */
public record StoreDigest(String hash, long rows, long changes, long late, long dead, long side) {

    /** Rejects null. */
    public StoreDigest {
        Objects.requireNonNull(hash, "hash");
    }

    /** The digest of everything, as {@link #of(StateStore, DigestScope)}. */
    public static Mono<StoreDigest> of(StateStore store) {
        return of(store, DigestScope.everything());
    }

    /**
     * The digest of one committed moment, the newest at subscription. Reads every row covered on the subscribing thread, so
     * for large stores {@code subscribeOn} a scheduler that may block. A job or sink that the store does not have is empty.
     */
    public static Mono<StoreDigest> of(StateStore store, DigestScope scope) {
        Objects.requireNonNull(scope, "scope");
        return store.snapshot(snapshot -> of(snapshot, scope)).single();
    }

    /** The digest of a snapshot, to be read while that is held. */
    public static Mono<StoreDigest> of(StoreSnapshot snapshot, DigestScope scope) {
        return Mono.defer(() -> new DigestRun(snapshot, scope).run());
    }
}
