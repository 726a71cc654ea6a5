package io.fluxmark.state;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.h2.mvstore.MVStoreException;

/** Writes one savepoint: all of it under another name, forced, then renamed. Used by one thread. */
final class SavepointWriter {

    private final Path parent;
    private final Path place;
    private final Path unfinished;
    private final SavepointSpec spec;

    private final BooleanSupplier cancelled;

    SavepointWriter(Path parent, SavepointSpec spec, BooleanSupplier cancelled) {
        this.parent = parent;
        this.spec = spec;
        this.cancelled = cancelled;
        place = parent.resolve(spec.name());
        unfinished = parent.resolve(spec.name() + Savepoints.UNFINISHED);
    }

    Savepoint write(StoreSnapshot snapshot, Map<String, String> notes) {
        // Held on its own: cancelling lets go of the caller's while this thread still reads.
        StoreSnapshot held = snapshot.again();
        try {
            Files.createDirectories(unfinished);
            DirectoryLock lock = DirectoryLock.acquire(unfinished);
            try {
                if (Files.exists(place)) {
                    throw new StateStoreException(
                            "There is a savepoint " + place + " already; take this one under another name");
                }
                clear();
                return finish(copy(held, notes));
            } catch (Throwable e) {
                remove(e);
                throw e;
            } finally {
                lock.close();
            }
        } catch (IOException | UncheckedIOException | MVStoreException e) {
            throw new StateStoreException(
                    "Savepoint " + place + " cannot be written; nothing of it is left, see the cause and take it again",
                    e);
        } finally {
            held.release();
        }
    }

    private Savepoint copy(StoreSnapshot snapshot, Map<String, String> notes) throws IOException {
        StoreSpec files = spec.files();
        StoreFile file = StoreFile.begin(unfinished, files);
        StoreCopy.Contents contents;
        try {
            contents = new StoreCopy(snapshot, file, Map.of(), cancelled).run();
        } finally {
            file.close();
        }
        spec.step();
        StoreFile.publish(unfinished, files);
        List<Savepoint.Lane> lanes = snapshot.lanes().stream()
                .map(lane -> new Savepoint.Lane(
                        lane.job(), lane.lane(), lane.record().transaction()))
                .toList();
        return new Savepoint(
                place,
                spec.scheduler().now(TimeUnit.MILLISECONDS),
                snapshot.commit(),
                lanes,
                contents.entries(),
                contents.checksum(),
                notes);
    }

    private Savepoint finish(Savepoint savepoint) throws IOException {
        spec.step();
        SavepointManifest.write(unfinished, savepoint);
        spec.step();
        StoreFile.forceDirectory(unfinished);
        spec.step();
        Files.move(unfinished, place, StandardCopyOption.ATOMIC_MOVE);
        spec.step();
        StoreFile.forceDirectory(parent);
        return savepoint;
    }

    /** Removes what an earlier attempt has left. */
    private void clear() throws IOException {
        try (Stream<Path> files = Files.list(unfinished)) {
            for (Path file :
                    files.filter(name -> !name.endsWith(DirectoryLock.NAME)).toList()) {
                Files.delete(file);
            }
        }
    }

    private void remove(Throwable reason) {
        if (!Files.exists(unfinished)) {
            return;
        }
        try (Stream<Path> files = Files.walk(unfinished)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException | UncheckedIOException e) {
            // What stays behind is not a savepoint, and the next of its name takes it away.
            reason.addSuppressed(e);
        }
    }
}
