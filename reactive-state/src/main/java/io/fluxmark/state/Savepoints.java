package io.fluxmark.state;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import reactor.core.publisher.Mono;

/**
 * Takes savepoints of stores and restores them. A savepoint is a directory with a store file and a manifest; it has its name
 * once it is complete and forced to disk. Thread-safe.
 *
 * <pre>
 * savepoints/NAME.unfinished/    while it is written, or left by a crash: not a savepoint
 * savepoints/NAME/state.mv       the copy
 * savepoints/NAME/MANIFEST       what it is
 * </pre>
 */
public final class Savepoints {

    /** What the name of a directory ends with whose savepoint is not complete. */
    static final String UNFINISHED = ".unfinished";

    private static final Comparator<Savepoint> BY_AGE =
            Comparator.comparingLong(Savepoint::taken).thenComparingLong(Savepoint::commit);

    private Savepoints() {}

    /**
     * Copies the newest commit of a running store when subscribed. Commits go on meanwhile; the space of those since is not
     * reused before the copy is done, so the store's file grows by what they write. Reads and writes on
     * {@link SavepointSpec#scheduler}, with a few MiB of heap. Cancelling removes what has been written.
     *
     * <p>Errors with {@link StateStoreException} if there is a savepoint of that name, or if the store fails or is closed
     * meanwhile: then nothing is left.
     *
     * @param directory of all savepoints, made if missing
     */
    public static Mono<Savepoint> take(StateStore store, Path directory, SavepointSpec spec) {
        Objects.requireNonNull(directory, "directory");
        Objects.requireNonNull(spec, "spec");
        return store.snapshot(snapshot -> spec.notesOf(snapshot)
                        .publishOn(spec.scheduler())
                        .flatMap(notes -> BlockingWork.of(
                                "Savepoint " + spec.name() + " cannot be taken",
                                cancelled -> new SavepointWriter(directory, spec, cancelled).write(snapshot, notes))))
                .next()
                .subscribeOn(spec.scheduler());
    }

    /** The savepoint in a directory. Errors with {@link StateStoreException} if there is none, or one that is not complete. */
    public static Savepoint read(Path savepoint) {
        return SavepointManifest.read(savepoint);
    }

    /**
     * The complete savepoints of a directory, the oldest first. Those that are not complete are left out, as is everything
     * else; one whose manifest can't be read is an error.
     */
    public static List<Savepoint> list(Path directory) {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> names = Files.list(directory)) {
            return names.filter(name -> !name.getFileName().toString().endsWith(UNFINISHED))
                    .filter(SavepointManifest::existsIn)
                    .map(SavepointManifest::read)
                    .sorted(BY_AGE)
                    .toList();
        } catch (IOException e) {
            throw new StateStoreException("The savepoints of " + directory + " cannot be listed; see the cause", e);
        }
    }

    /** The complete savepoint of a directory that was taken last. */
    public static Optional<Savepoint> newest(Path directory) {
        return list(directory).stream().reduce((older, newer) -> newer);
    }

    /** Restores a savepoint with every job under the name it had, as {@link #restore(Savepoint, Path, RestoreSpec)}. */
    public static Mono<Void> restore(Savepoint savepoint, Path directory) {
        return restore(savepoint, directory, RestoreSpec.defaults());
    }

    /**
     * Makes a store of a savepoint when subscribed, to be opened with {@link StateStore#open}. The savepoint stays as it is.
     * Whatever is copied is checked against the savepoint's checksum before the store gets its name, so what comes of an
     * interruption is no store at all.
     *
     * <p>Errors with {@link StateStoreException} if there is a store already, {@link StoreLockedException} if one is open
     * there, {@link CorruptValueException} if the savepoint is damaged.
     *
     * @param directory of the store, made if missing
     */
    public static Mono<Void> restore(Savepoint savepoint, Path directory, RestoreSpec spec) {
        Objects.requireNonNull(savepoint, "savepoint");
        Objects.requireNonNull(directory, "directory");
        return BlockingWork.of(
                        "Savepoint " + savepoint.directory() + " cannot be restored to " + directory, cancelled -> {
                            Files.createDirectories(directory);
                            DirectoryLock lock = DirectoryLock.acquire(directory);
                            try {
                                SavepointReader.restore(savepoint, directory, StoreSpec.defaults(), spec, cancelled);
                            } finally {
                                lock.close();
                            }
                            return savepoint;
                        })
                .then()
                .subscribeOn(spec.scheduler());
    }
}
