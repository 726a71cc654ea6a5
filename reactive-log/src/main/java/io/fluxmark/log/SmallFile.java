package io.fluxmark.log;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Files that are written and read as a whole. Stateless. */
final class SmallFile {

    static final String TEMPORARY_SUFFIX = ".tmp";

    private SmallFile() {}

    /** Replaces a file durably: whatever happens, it is as it was before or as it is to be. */
    static void replace(LogStorage storage, Path file, ByteBuffer content) throws IOException {
        put(storage, file, content, true);
        storage.forceDirectory(Objects.requireNonNull(file.getParent()));
    }

    /** Replaces a file that can be made again: readers find the old or the new one, after a power cut anything. */
    static void replaceUnforced(LogStorage storage, Path file, ByteBuffer content) throws IOException {
        put(storage, file, content, false);
    }

    /**
     * All bytes of a file, or null if there is no such file.
     *
     * @throws IOException also if it is larger than {@code maxBytes}
     */
    static @Nullable ByteBuffer read(LogStorage storage, Path file, long maxBytes) throws IOException {
        try (LogStorage.LogFile open = storage.openForRead(file)) {
            long size = open.size();
            if (size > maxBytes) {
                throw new IOException(file + " has " + size + " bytes, more than the " + maxBytes + " it can have");
            }
            ByteBuffer bytes = ByteBuffer.allocate((int) size);
            while (bytes.hasRemaining() && open.read(bytes, bytes.position()) >= 0) {
                // A read may bring less than was asked for.
            }
            return bytes.flip();
        } catch (NoSuchFileException | FileNotFoundException e) {
            return null;
        }
    }

    private static void put(LogStorage storage, Path file, ByteBuffer content, boolean forced) throws IOException {
        Path temporary = file.resolveSibling(file.getFileName() + TEMPORARY_SUFFIX);
        try (LogStorage.LogFile open = storage.openForWrite(temporary)) {
            open.truncate(0);
            open.write(content.duplicate(), 0);
            if (forced) {
                open.force();
            }
        }
        storage.rename(temporary, file);
    }
}
