package io.fluxmark.sinks;

import io.fluxmark.state.Savepoint;
import io.fluxmark.state.SavepointSpec;
import io.fluxmark.state.Savepoints;
import io.fluxmark.state.StateStore;
import io.fluxmark.state.StoreSnapshot;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import reactor.core.publisher.Mono;

/**
 * Savepoints of stores with jobs: they say how far each job was, and have the digest of what was committed. Restored with
 * {@link Savepoints#restore}, also under other names, a job goes on there.
 */
public final class JobSavepoints {

    private static final String DIGEST = "digest";
    private static final String OFFSET = "offset/";

    private JobSavepoints() {}

    /**
     * Takes a savepoint as {@link Savepoints#take} does, of a store whose jobs may be running. The digest is computed of the very
     * commit that is copied, so that a restored store can be compared with it: {@link StoreDigest} of {@link
     * DigestScope#withoutJobNames}.
     *
     * @param spec its name; what it notes is replaced
     */
    public static Mono<Savepoint> take(StateStore store, Path directory, SavepointSpec spec) {
        return Savepoints.take(store, directory, spec.noting(JobSavepoints::notes));
    }

    private static Mono<Map<String, String>> notes(StoreSnapshot snapshot) {
        Map<String, String> notes = new TreeMap<>();
        return StoredJob.committed(snapshot, snapshot.lanes())
                .doOnNext(lane -> lane.offsets()
                        .forEach((partition, offset) ->
                                notes.put(OFFSET + partition + "/" + lane.job(), Long.toString(offset))))
                .then(StoreDigest.of(snapshot, DigestScope.everything().withoutJobNames()))
                .map(digest -> {
                    notes.put(DIGEST, digest.hash());
                    return notes;
                });
    }

    /** The hash of {@link StoreDigest}, without names of jobs, of what a savepoint holds; empty if it was taken without. */
    public static Optional<String> digest(Savepoint savepoint) {
        return Optional.ofNullable(savepoint.notes().get(DIGEST));
    }

    /** Where a job goes on after a restore: by partition, the offset of the next record; empty if it is not in the savepoint. */
    public static Map<Integer, Long> offsets(Savepoint savepoint, String job) {
        Map<Integer, Long> offsets = new TreeMap<>();
        savepoint.notes().forEach((name, value) -> {
            if (name.startsWith(OFFSET)) {
                String place = name.substring(OFFSET.length());
                int slash = place.indexOf('/');
                if (place.substring(slash + 1).equals(job)) {
                    offsets.put(Integer.valueOf(place.substring(0, slash)), Long.valueOf(value));
                }
            }
        });
        return offsets;
    }
}
