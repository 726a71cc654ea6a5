package io.fluxmark.proof;

import io.fluxmark.log.LogStorage.LogFile;
import io.fluxmark.state.SimulatedDisks;
import io.fluxmark.state.StoreSpec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.h2.store.fs.FileBaseDefault;
import org.h2.store.fs.FilePath;
import org.h2.store.fs.FilePathWrapper;

/** Brings the store's file onto the {@link Machine} that its directory is mounted on. */
public final class MachineFilePath extends FilePathWrapper {

    private static final String SCHEME = "fluxmachine";
    private static final Map<Path, Machine> MOUNTS = new ConcurrentHashMap<>();

    /** For H2. */
    public MachineFilePath() {}

    /** The settings of a store in {@code directory}, whose file is then on the machine. */
    static StoreSpec mount(StoreSpec spec, Path directory, Machine machine) {
        FilePath.register(new MachineFilePath());
        MOUNTS.put(directory, machine);
        return SimulatedDisks.scheme(spec, SCHEME);
    }

    /** Forgets the machine of a directory, whose store is closed. */
    static void unmount(Path directory) {
        MOUNTS.remove(directory);
    }

    @Override
    public String getScheme() {
        return SCHEME;
    }

    private Path path() {
        return Path.of(getBase().toString());
    }

    private Machine machine() {
        return MOUNTS.get(path().getParent());
    }

    @Override
    public boolean exists() {
        return Files.isDirectory(path()) || machine().exists(path());
    }

    @Override
    public boolean canWrite() {
        return true;
    }

    @Override
    public long size() {
        return machine().size(path());
    }

    @Override
    public void delete() {
        machine().delete(path());
    }

    @Override
    public void moveTo(FilePath target, boolean atomicReplace) {
        machine().move(path(), ((MachineFilePath) target).path());
    }

    @Override
    public FileChannel open(String mode) throws IOException {
        return new Channel(machine().open(path(), true));
    }

    private static final class Channel extends FileBaseDefault {

        private final LogFile file;

        Channel(LogFile file) {
            this.file = file;
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        @SuppressWarnings("UnsynchronizedOverridesSynchronized")
        public int read(ByteBuffer target, long position) throws IOException {
            return file.read(target, position);
        }

        @Override
        @SuppressWarnings("UnsynchronizedOverridesSynchronized")
        public int write(ByteBuffer source, long position) throws IOException {
            int length = source.remaining();
            file.write(source, position);
            return length;
        }

        @Override
        protected void implTruncate(long size) throws IOException {
            file.truncate(size);
        }

        @Override
        public void force(boolean metaData) throws IOException {
            file.force();
        }

        @Override
        public FileLock tryLock(long position, long size, boolean shared) {
            return SimulatedDisks.lock(this, position, size, shared);
        }

        @Override
        protected void implCloseChannel() {}
    }
}
