package io.fluxmark.state;

import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;

/** What a simulated disk outside this package needs of the store. */
public final class SimulatedDisks {

    private SimulatedDisks() {}

    /** Opens the store's file through another scheme of H2, below the store's own ordering of writes. */
    public static StoreSpec scheme(StoreSpec spec, String scheme) {
        return spec.filePrefix(StoreFileSystem.SAFE + ":" + scheme + ":");
    }

    /** The lock that H2 asks for on the file. */
    public static FileLock lock(FileChannel channel, long position, long size, boolean shared) {
        return new DirectoryLock.Covered(channel, position, size, shared);
    }
}
