package io.fluxmark.state;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * The file operations of a store, for tests that inject faults or count: {@link StoreSpec#storage}. A store orders its
 * writes and forces above it, so what is injected here is what a disk could do.
 *
 * <p>Writing calls come from the store's thread, reads also from lanes and readers; implementations are thread-safe. The
 * store's directory and the lock in it stay on the real file system.
 */
public interface StoreStorage {

    /** Whether there is such a file. */
    boolean exists(Path file);

    /** The length of a file in bytes, 0 if there is none. */
    long size(Path file);

    /** Opens a file for reading and writing, creating it if missing. */
    StoredFile open(Path file) throws IOException;

    /** Renames atomically, replacing the target. Durable only after {@link #forceDirectory}. */
    void rename(Path from, Path to) throws IOException;

    /** Deletes a file if it exists. */
    void delete(Path file) throws IOException;

    /** Makes the entries of a directory durable. */
    void forceDirectory(Path directory) throws IOException;

    /** An open file. Positions and sizes are in bytes. */
    interface StoredFile extends Closeable {

        /** Reads at most what fits into {@code target}; -1 at or after the end of the file. */
        int read(ByteBuffer target, long position) throws IOException;

        /** Writes all of {@code source}, extending the file if need be. */
        void write(ByteBuffer source, long position) throws IOException;

        /** The length of the file. */
        long size() throws IOException;

        /** Cuts the file to the given size. */
        void truncate(long size) throws IOException;

        /** Makes contents and length durable. */
        void force() throws IOException;
    }
}
