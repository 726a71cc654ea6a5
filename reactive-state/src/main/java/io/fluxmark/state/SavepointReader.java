package io.fluxmark.state;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.h2.mvstore.MVStoreException;

/** Makes a store's file of a savepoint. Stateless. */
final class SavepointReader {

    private SavepointReader() {}

    /**
     * Restores into a directory that the caller has locked and that has no store's file. The file gets its name last.
     *
     * @param files how the store will be opened
     * @param cancelled whether to stop, asked in between
     */
    static void restore(
            Savepoint savepoint, Path directory, StoreSpec files, RestoreSpec spec, BooleanSupplier cancelled)
            throws IOException {
        if (StoreFile.exists(directory, files)) {
            throw new StateStoreException("There is a store in " + directory
                    + " already; restore into another directory, or set that one's file aside");
        }
        DirectoryLock lock = DirectoryLock.acquire(savepoint.directory());
        try {
            Incarnation source = open(savepoint);
            try {
                copy(savepoint, source, directory, files, spec, cancelled);
            } finally {
                source.close(new StoreClosedException("The savepoint has been read", null));
            }
        } catch (MVStoreException e) {
            StoreFile.discard(directory, files);
            throw new StateStoreException(
                    "Savepoint " + savepoint.directory() + " cannot be restored to " + directory
                            + "; see the cause and restore it again",
                    e);
        } catch (Throwable e) {
            StoreFile.discard(directory, files);
            throw e;
        } finally {
            lock.close();
        }
        StoreFile.publish(directory, files);
    }

    private static Incarnation open(Savepoint savepoint) {
        StoreSpec reading = StoreSpec.defaults().cacheMegabytes(1);
        if (!StoreFile.exists(savepoint.directory(), reading)) {
            throw new StateStoreException(
                    "Savepoint " + savepoint.directory() + " has lost its store file; use another savepoint");
        }
        try {
            return Incarnation.open(savepoint.directory(), reading, new AtomicInteger());
        } catch (Throwable e) {
            throw damaged(savepoint, e);
        }
    }

    private static void copy(
            Savepoint savepoint,
            Incarnation source,
            Path directory,
            StoreSpec files,
            RestoreSpec spec,
            BooleanSupplier cancelled) {
        StoreSnapshot snapshot = StoreSnapshot.newest(source);
        StoreFile target = StoreFile.begin(directory, files);
        try {
            StoreCopy.Contents contents = new StoreCopy(snapshot, target, spec.jobs(), cancelled).run();
            if (!contents.checksum().equals(savepoint.checksum())) {
                throw new CorruptValueException("The contents of savepoint " + savepoint.directory() + " have checksum "
                        + contents.checksum() + " and not " + savepoint.checksum()
                        + ", as its manifest says: it is damaged; use another savepoint");
            }
        } catch (StateStoreException | MVStoreException | CancellationException e) {
            throw e;
        } catch (RuntimeException | OutOfMemoryError e) {
            // Torn pages end in any exception, and senseless lengths in errors.
            throw damaged(savepoint, e);
        } finally {
            target.close();
            snapshot.release();
        }
    }

    private static CorruptValueException damaged(Savepoint savepoint, Throwable cause) {
        return new CorruptValueException(
                "Savepoint " + savepoint.directory() + " cannot be read: it is damaged; use another savepoint", cause);
    }
}
