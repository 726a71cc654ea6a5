package io.fluxmark.state;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Exclusive ownership of a store directory by one store of one process, through a LOCK file of its own.
 *
 * <p>POSIX drops a process's locks on a file as soon as the process closes <em>any</em> channel to it, so a second
 * attempt within this JVM is refused before the file is touched, and the store file itself is never locked.
 */
final class DirectoryLock implements AutoCloseable {

    /** The name of the file. */
    static final String NAME = "LOCK";

    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path directory;
    private final FileChannel channel;

    private DirectoryLock(Path directory, FileChannel channel) {
        this.directory = directory;
        this.channel = channel;
    }

    static DirectoryLock acquire(Path directory) throws IOException {
        Path real = directory.toRealPath();
        if (!HELD.add(real)) {
            throw refused(real);
        }
        FileChannel channel = null;
        boolean locked = false;
        try {
            channel = FileChannel.open(real.resolve(NAME), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            locked = channel.tryLock() != null;
        } finally {
            if (!locked) {
                HELD.remove(real);
                if (channel != null) {
                    channel.close();
                }
            }
        }
        if (!locked) {
            throw refused(real);
        }
        return new DirectoryLock(real, channel);
    }

    @Override
    public void close() throws IOException {
        try {
            channel.close();
        } finally {
            HELD.remove(directory);
        }
    }

    private static StoreLockedException refused(Path directory) {
        return new StoreLockedException(
                "The directory " + directory + " is in use by another store; close that one first");
    }

    /** The lock H2 asks for on the store file: always granted, because the directory is already held. */
    static final class Covered extends FileLock {

        Covered(FileChannel channel, long position, long size, boolean shared) {
            super(channel, position, size, shared);
        }

        @Override
        public boolean isValid() {
            return true;
        }

        @Override
        public void release() {}
    }
}
