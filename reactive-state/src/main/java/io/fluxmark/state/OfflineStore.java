package io.fluxmark.state;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;
import org.h2.mvstore.MVStoreException;

/**
 * Work on the directory of a store that nobody has open. All methods read and write on the calling thread, and fail with
 * {@link StoreLockedException} if a store is open there, {@link StateStoreException} if there is none.
 */
public final class OfflineStore {

    private static final StoreSpec FILES = StoreSpec.defaults();

    private OfflineStore() {}

    /** Whether a directory has a store's file, open or not. */
    public static boolean exists(Path directory) {
        return StoreFile.exists(directory, FILES);
    }

    /**
     * What {@link #verify} has found.
     *
     * @param commit the number of the newest commit, -1 if the file cannot be opened
     * @param entries how many entries were read, by map
     * @param hidden how many of them are dropped and wait for their removal
     * @param damages what is wrong, at most 1,000 texts; empty if nothing is
     */
    public record Verification(long commit, Map<String, Long> entries, long hidden, List<String> damages) {

        /** Copies the collections. */
        public Verification {
            entries = Map.copyOf(entries);
            damages = List.copyOf(damages);
        }
    }

    /**
     * Reads everything: every value against its checksum, the order of keys, and whether what lanes, rows and dropped ranges
     * say of each other fits. Changes nothing.
     *
     * @param progress is told the number of entries read, every so many
     */
    public static Verification verify(Path directory, LongConsumer progress) {
        return locked(directory, () -> {
            StoreFile file;
            try {
                file = StoreFile.open(directory, FILES);
            } catch (Throwable e) {
                // A damaged file shows itself in many ways, even as an OutOfMemoryError from a senseless length.
                return new Verification(-1, Map.of(), 0, List.of("the file cannot be opened: " + e));
            }
            try {
                return new StoreCheck(file, progress).run();
            } finally {
                file.close();
            }
        });
    }

    /**
     * The size of a file before and after.
     *
     * @param bytesBefore before, in bytes
     * @param bytesAfter after, in bytes
     */
    public record Compaction(long bytesBefore, long bytesAfter) {}

    /**
     * Writes the newest commit into a new file without free space, dropped entries and earlier commits, and puts that in the
     * place of the old one, in one step: interrupted, the old one is still there. Needs room for both.
     *
     * <p>The store can't come back at an earlier commit than this one afterwards.
     */
    public static Compaction compact(Path directory) {
        return locked(directory, () -> {
            Incarnation source = Incarnation.open(directory, FILES, new AtomicInteger());
            long before;
            long after;
            try {
                before = source.file().fileBytes();
                after = copy(source, directory);
            } catch (Throwable e) {
                StoreFile.discard(directory, FILES);
                throw e;
            } finally {
                source.close(new StoreClosedException("The store has been compacted", null));
            }
            StoreFile.publish(directory, FILES);
            return new Compaction(before, after);
        });
    }

    private static long copy(Incarnation source, Path directory) {
        StoreSnapshot snapshot = StoreSnapshot.newest(source);
        StoreFile target = StoreFile.begin(directory, FILES);
        try {
            new StoreCopy(snapshot, target, Map.of(), () -> false).run();
            return target.fileBytes();
        } finally {
            target.close();
            snapshot.release();
        }
    }

    private static <T> T locked(Path directory, Callable<T> work) {
        if (!Files.isDirectory(directory) || !exists(directory)) {
            throw new StateStoreException(
                    "There is no store in " + directory + "; name the directory that a store was opened on");
        }
        try {
            DirectoryLock lock = DirectoryLock.acquire(directory);
            try {
                return work.call();
            } finally {
                lock.close();
            }
        } catch (StateStoreException e) {
            throw e;
        } catch (IOException | MVStoreException e) {
            throw new StateStoreException("The store in " + directory + " cannot be read or written; see the cause", e);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("no other exception is declared", e);
        }
    }
}
