package io.fluxmark.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/**
 * The file operations of a log. Replace it to inject faults or to count; {@link #files()} is the real thing.
 *
 * <p>Writing calls come from the log's writer thread, those for the temporary file of a compaction and for the offsets
 * of groups from {@link LogSpec#readScheduler}, {@link #openForRead} and reads also from readers' workers.
 * Implementations are thread-safe, a {@link LogFile} need not be.
 */
public interface LogStorage {

    /** Real files. */
    static LogStorage files() {
        return FileLogStorage.INSTANCE;
    }

    /** The names in a directory in any order; empty if there is no such directory. */
    List<String> list(Path directory) throws IOException;

    /**
     * Creates a directory if it is missing. Durable only after {@link #forceDirectory} of its parent.
     *
     * @return whether it was missing
     * @throws java.nio.file.NoSuchFileException if its parent is missing
     */
    boolean createDirectory(Path directory) throws IOException;

    /** Opens an existing file for reading only. */
    LogFile openForRead(Path file) throws IOException;

    /** Opens a file for reading and writing, creating it if missing. */
    LogFile openForWrite(Path file) throws IOException;

    /** Renames atomically, replacing the target. */
    void rename(Path from, Path to) throws IOException;

    /** Deletes a file, or an empty directory, if it exists. */
    void delete(Path file) throws IOException;

    /** Makes the entries of a directory durable. */
    void forceDirectory(Path directory) throws IOException;

    /**
     * Takes an exclusive lock, held until the result is closed or the process ends.
     *
     * @throws LogLockedException if somebody else holds it
     */
    Closeable lock(Path file) throws IOException;

    /** An open file. Positions and sizes are in bytes. */
    interface LogFile extends Closeable {

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
